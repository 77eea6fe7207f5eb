// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/log_tail.h"

#include <algorithm>

namespace ddp::remote {

namespace {

constexpr std::size_t kCompared = 64;
constexpr std::size_t kLongLine = 64u << 10;

/// Bytes of the character that begins here: 0 when none does, more than there are when its end is missing.
std::size_t characterSize(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t size = lead >= 0xc2 && lead < 0xe0 ? 2 : (lead >= 0xe0 && lead < 0xf0 ? 3 : 4);
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    for (std::size_t i = 1; i < size && i < text.size(); ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
        const bool tooShort = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
        const bool noCharacter = (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf4 && byte(1) > 0x8f);
        if (tooShort || noCharacter)
            return 0;
    }
    return size;
}

/// Without a last character that is not all there.
std::size_t wholeCharacters(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const std::size_t at = text.size() - back;
        if (characterSize(text.substr(at)) > back)
            return at;
    }
    return text.size();
}

std::string validUtf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = characterSize(text);
        if (size == 0 || size > text.size()) {
            valid += "\xef\xbf\xbd";
            text.remove_prefix(1);
        } else {
            valid += text.substr(0, size);
            text.remove_prefix(size);
        }
    }
    return valid;
}

} // namespace

LogTail::LogTail(std::filesystem::path folder, TailOptions options, const Offsets& from)
    : m_folder(std::move(folder)), m_options(std::move(options)) {
    for (const auto& [name, offset] : from)
        m_files[name].given = offset;
}

LogTail::Offsets LogTail::offsets() const {
    Offsets offsets;
    for (const auto& [name, file] : m_files)
        offsets.emplace(name, file.given);
    return offsets;
}

Result<std::vector<TailText>> LogTail::next(Transport& transport, std::stop_token stop) {
    auto entries = transport.list(m_folder, stop);
    if (!entries)
        return forward(entries);
    std::erase_if(*entries, [this](const FolderEntry& entry) {
        return entry.folder || (m_options.wanted && !m_options.wanted(entry.name));
    });
    const auto first = std::find_if(entries->begin(), entries->end(),
                                    [this](const FolderEntry& entry) { return entry.name >= m_first; });
    std::rotate(entries->begin(), first, entries->end());
    m_more = false;
    m_first.clear();
    std::vector<TailText> found;
    std::size_t room = m_options.mostBytes;
    for (const FolderEntry& entry : *entries) {
        if (room == 0) {
            m_more = true;
            m_first = entry.name;
            break;
        }
        const std::size_t before = found.size();
        if (auto looked = look(transport, entry, room, stop, found); !looked)
            return forward(looked);
        if (found.size() > before)
            room -= std::min(room, found.back().text.size());
    }
    std::sort(found.begin(), found.end(),
              [](const TailText& a, const TailText& b) { return a.file < b.file; });
    return found;
}

Result<void> LogTail::look(Transport& transport, const FolderEntry& entry, std::size_t room,
                           std::stop_token stop, std::vector<TailText>& found) {
    File& file = m_files[entry.name];
    const bool stands = entry.size == file.seen;
    file.seen = entry.size;
    if (entry.size == file.given)
        return {};
    bool restarted = entry.size < file.given;
    if (restarted)
        file = File{0, entry.size, {}};
    const auto read = [&] {
        return transport.read(m_folder / entry.name, file.given - file.last.size(), file.last.size() + room,
                              stop);
    };
    auto bytes = read();
    if (bytes && !bytes->starts_with(file.last)) {
        restarted = true;
        file = File{0, entry.size, {}};
        bytes = read();
    }
    if (!bytes && bytes.error().code == ErrorCode::Unreadable)
        return {};
    if (!bytes)
        return forward(bytes);
    const std::string_view fresh = std::string_view(*bytes).substr(file.last.size());
    std::size_t size = fresh.rfind('\n') + 1; // none: 0
    if (size == 0 && (stands || fresh.size() >= std::min(room, kLongLine)))
        size = wholeCharacters(fresh);
    if (size == 0 && !restarted)
        return {};
    m_more = m_more || file.given + fresh.size() < entry.size;
    found.push_back({entry.name, validUtf8(fresh.substr(0, size)), restarted});
    file.given += size;
    const std::string_view given = std::string_view(*bytes).substr(0, file.last.size() + size);
    file.last = std::string(given.substr(given.size() - std::min(given.size(), kCompared)));
    return {};
}

} // namespace ddp::remote
