// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ddp {

/// Writes the small, irregular part of a store file: numbers, texts, optionals, one after the other, in the
/// machine's byte order. What ByteWriter put, ByteReader gets in the same order.
class ByteWriter {
public:
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) { raw(&value, sizeof value); }
    void put(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        raw(text.data(), text.size());
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value)
            put(*value);
    }

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    void raw(const void* data, std::size_t count) {
        const auto* first = static_cast<const std::byte*>(data);
        m_bytes.insert(m_bytes.end(), first, first + count);
    }
    std::vector<std::byte> m_bytes;
};

/// Reads what ByteWriter wrote. Any bytes are safe to read: behind the end, or after the first value that can
/// not be, every further one is zero or empty and ok() is false.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : m_rest(bytes) {}

    template <class T>
    requires(std::is_arithmetic_v<T>) T get() {
        T value{};
        if constexpr (std::is_same_v<T, bool>) {
            value = get<std::uint8_t>() != 0;
        } else if (const auto bytes = take(sizeof value); m_ok) {
            std::memcpy(&value, bytes.data(), sizeof value);
        }
        return value;
    }
    /// `last` is the largest value of the enumeration.
    template <class T>
    requires(std::is_enum_v<T>) T get(T last) {
        const auto value = get<std::underlying_type_t<T>>();
        if (value < 0 || value > static_cast<std::underlying_type_t<T>>(last)) {
            m_ok = false;
            return T{};
        }
        return static_cast<T>(value);
    }
    std::string text() {
        const auto bytes = take(get<std::uint64_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    std::optional<std::string> optionalText() { return get<bool>() ? std::optional(text()) : std::nullopt; }
    template <class T>
    std::optional<T> optional() {
        return get<bool>() ? std::optional(get<T>()) : std::nullopt;
    }
    /// The number of elements that follow, each of which takes `bytesEach` (at least 1) or more: not more
    /// than there is room for, so that it may size a vector.
    std::size_t elements(std::size_t bytesEach) {
        const auto count = get<std::uint64_t>();
        m_ok = m_ok && count <= m_rest.size() / bytesEach;
        return m_ok ? static_cast<std::size_t>(count) : 0;
    }

    bool ok() const { return m_ok; }
    /// Nothing is left, and nothing was missing.
    bool complete() const { return m_ok && m_rest.empty(); }

private:
    std::span<const std::byte> take(std::uint64_t count) {
        m_ok = m_ok && count <= m_rest.size();
        if (!m_ok)
            return {};
        const auto taken = m_rest.first(static_cast<std::size_t>(count));
        m_rest = m_rest.subspan(taken.size());
        return taken;
    }
    std::span<const std::byte> m_rest;
    bool m_ok = true;
};

} // namespace ddp
