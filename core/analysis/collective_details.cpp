// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_details.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ddp {

enum class CollectiveDetailReader::Detail : std::uint8_t {
    None,
    Sequence,
    Group,
    GroupRanks,
    Members,
    Operation,
    ElementsIn,
    ElementsOut,
    ElementType,
    Bytes
};

struct CollectiveDetailReader::Name {
    std::string_view text;
    Detail detail;
};

// Of Kineto and NCCL, then what ddpscope-worker writes.
const CollectiveDetailReader::Name CollectiveDetailReader::kNames[] = {
    {"Seq", Detail::Sequence},
    {"Process Group Name", Detail::Group},
    {"Process Group Ranks", Detail::GroupRanks},
    {"Group size", Detail::Members},
    {"Collective name", Detail::Operation},
    {"In msg nelems", Detail::ElementsIn},
    {"Out msg nelems", Detail::ElementsOut},
    {"dtype", Detail::ElementType},
    {"sequence", Detail::Sequence},
    {"process_group", Detail::Group},
    {"group_size", Detail::Members},
    {"bytes", Detail::Bytes},
};

namespace {

struct ElementSize {
    std::string_view type; // as PyTorch names it
    std::uint64_t bytes;
};
constexpr ElementSize kElementSizes[] = {
    {"Byte", 1},         {"Char", 1},           {"Bool", 1}, {"Float8_e4m3fn", 1},
    {"Float8_e5m2", 1},  {"Short", 2},          {"Half", 2}, {"BFloat16", 2},
    {"Int", 4},          {"Float", 4},          {"Long", 8}, {"Double", 8},
    {"ComplexFloat", 8}, {"ComplexDouble", 16},
};

std::uint64_t sizeOf(std::string_view type) {
    for (const ElementSize& size : kElementSizes)
        if (size.type == type)
            return size.bytes;
    return 0;
}

std::optional<std::uint64_t> countOf(const Attribute& attribute) {
    switch (attribute.type) {
    case ValueType::Uint64:
        return attribute.value.unsignedNumber();
    case ValueType::Int64:
        if (attribute.value.signedNumber() >= 0)
            return attribute.value.unsignedNumber();
        return std::nullopt;
    case ValueType::Double: // how JSON keeps every number
        if (const double value = attribute.value.real();
            value >= 0 && value < 0x1p63 && std::trunc(value) == value)
            return static_cast<std::uint64_t>(value);
        return std::nullopt;
    case ValueType::Text:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

CollectiveDetailReader::Detail CollectiveDetailReader::detailOf(StringId name) {
    const auto [known, isNew] = m_known.emplace(name, Detail::None);
    if (isNew)
        for (const Name& candidate : kNames)
            if (candidate.text == m_store.text(name))
                known->second = candidate.detail;
    return known->second;
}

CollectiveDetails CollectiveDetailReader::of(LocationId location, SliceRef slice) {
    CollectiveDetails details;
    if (!m_any)
        return details;
    std::optional<std::uint64_t> elements;
    std::uint64_t elementBytes = 0;
    for (const Attribute& attribute : m_store.records().attributes(location, slice)) {
        const bool isText = attribute.type == ValueType::Text;
        switch (detailOf(attribute.name)) {
        case Detail::None:
            break;
        case Detail::Sequence:
            details.sequence = countOf(attribute);
            break;
        case Detail::Group:
            details.group = CollectiveDetails::Key{attribute.type, attribute.value.bits};
            break;
        case Detail::GroupRanks:
            details.groupRanks = CollectiveDetails::Key{attribute.type, attribute.value.bits};
            break;
        case Detail::Members:
            if (const auto count = countOf(attribute); count && *count <= UINT32_MAX)
                details.members = static_cast<std::uint32_t>(*count);
            break;
        case Detail::Operation:
            if (isText)
                details.family = collectiveFamily(m_store.text(attribute.value.text()));
            break;
        case Detail::ElementsIn:
        case Detail::ElementsOut: // one side of a gathering or scattering one has the part of one rank only
            if (const auto count = countOf(attribute))
                elements = std::max(elements.value_or(0), *count);
            break;
        case Detail::ElementType:
            elementBytes = isText ? sizeOf(m_store.text(attribute.value.text())) : 0;
            break;
        case Detail::Bytes:
            details.bytes = countOf(attribute);
            break;
        }
    }
    if (!details.bytes && elements && elementBytes > 0 && *elements <= UINT64_MAX / elementBytes)
        details.bytes = *elements * elementBytes;
    return details;
}

} // namespace ddp
