// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/node.h"

#include "remote/slurm/slurm_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace ddp::remote::slurm {

namespace {

struct BaseWord {
    std::string_view word;
    NodeBase base;
};
// The first word of a base is the one that is written.
constexpr BaseWord kBases[] = {
    {"UNKNOWN", NodeBase::Unknown},     {"DOWN", NodeBase::Down},       {"IDLE", NodeBase::Idle},
    {"ALLOCATED", NodeBase::Allocated}, {"MIXED", NodeBase::Mixed},     {"ERROR", NodeBase::Error},
    {"FUTURE", NodeBase::Future},       {"INVALID", NodeBase::Unknown}, {"UNK", NodeBase::Unknown},
    {"ALLOC", NodeBase::Allocated},     {"MIX", NodeBase::Mixed},       {"FUTR", NodeBase::Future},
};

struct FlagWord {
    std::string_view word;
    NodeFlag flag;
};
constexpr FlagWord kFlags[] = {
    {"DRAIN", NodeFlag::Drain},
    {"COMPLETING", NodeFlag::Completing},
    {"NOT_RESPONDING", NodeFlag::NotResponding},
    {"FAIL", NodeFlag::Fail},
    {"INVALID_REG", NodeFlag::Invalid},
    {"MAINTENANCE", NodeFlag::Maintenance},
    {"RESERVED", NodeFlag::Reserved},
    {"PLANNED", NodeFlag::Planned},
    {"BLOCKED", NodeFlag::Blocked},
    {"POWERED_DOWN", NodeFlag::PoweredDown},
    {"POWERING_DOWN", NodeFlag::PoweringDown},
    {"POWERING_UP", NodeFlag::PoweringUp},
    {"REBOOT_REQUESTED", NodeFlag::RebootRequested},
    {"REBOOT_ISSUED", NodeFlag::RebootIssued},
    {"CLOUD", NodeFlag::Cloud},
    // Older releases and the short words of sinfo.
    {"COMP", NodeFlag::Completing},
    {"NO_RESPOND", NodeFlag::NotResponding},
    {"INVAL", NodeFlag::Invalid},
    {"MAINT", NodeFlag::Maintenance},
    {"RESV", NodeFlag::Reserved},
    {"PLND", NodeFlag::Planned},
    {"POWER_DOWN", NodeFlag::PoweringDown},
    {"POWER_UP", NodeFlag::PoweringUp},
    {"POW_DN", NodeFlag::PoweringDown},
    {"POW_UP", NodeFlag::PoweringUp},
    {"REBOOT", NodeFlag::RebootRequested},
    {"REBOOT^", NodeFlag::RebootIssued},
    {"BOOT", NodeFlag::RebootIssued},
};

struct SuffixFlag {
    char suffix;
    NodeFlag flag;
};
constexpr SuffixFlag kSuffixes[] = {
    {'*', NodeFlag::NotResponding},   {'$', NodeFlag::Maintenance},  {'~', NodeFlag::PoweredDown},
    {'#', NodeFlag::PoweringUp},      {'%', NodeFlag::PoweringDown}, {'!', NodeFlag::PoweringDown},
    {'@', NodeFlag::RebootRequested}, {'^', NodeFlag::RebootIssued}, {'-', NodeFlag::Planned},
};

/// sinfo has one word for a base state and a flag.
bool applyJoined(std::string_view word, NodeState& state) {
    struct Joined {
        std::string_view word;
        NodeBase base;
        NodeFlag flag;
    };
    constexpr Joined kJoined[] = {
        {"DRAINED", NodeBase::Idle, NodeFlag::Drain},       {"DRNG", NodeBase::Allocated, NodeFlag::Drain},
        {"DRAINING", NodeBase::Allocated, NodeFlag::Drain}, {"FAILING", NodeBase::Allocated, NodeFlag::Fail},
        {"FAILG", NodeBase::Allocated, NodeFlag::Fail},
    };
    for (const Joined& joined : kJoined)
        if (joined.word == word) {
            state.base = joined.base;
            state.set(joined.flag);
            return true;
        }
    return false;
}

void applyWord(std::string word, NodeState& state) {
    for (char& c : word)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    while (!word.empty()) {
        const auto* suffix = std::find_if(std::begin(kSuffixes), std::end(kSuffixes),
                                          [&](const SuffixFlag& s) { return s.suffix == word.back(); });
        if (suffix == std::end(kSuffixes))
            break;
        state.set(suffix->flag);
        word.pop_back();
    }
    if (word.empty() || applyJoined(word, state))
        return;
    for (const BaseWord& base : kBases)
        if (base.word == word) {
            state.base = base.base;
            return;
        }
    for (const FlagWord& flag : kFlags)
        if (flag.word == word) {
            state.set(flag.flag);
            return;
        }
    state.others.push_back(word);
}

std::string_view withoutBrackets(std::string_view text) {
    return text.substr(0, text.find('('));
}

} // namespace

NodeState parseNodeState(std::string_view words) {
    NodeState state;
    for (const std::string_view word : split(trimmed(words), '+'))
        applyWord(std::string(word), state);
    return state;
}

std::string nodeStateWords(const NodeState& state) {
    std::string words;
    for (const BaseWord& base : kBases)
        if (base.base == state.base) {
            words = base.word;
            break;
        }
    std::uint32_t left = state.flags;
    for (const FlagWord& flag : kFlags) {
        const auto bit = 1u << static_cast<unsigned>(flag.flag);
        if (left & bit) {
            words += '+';
            words += flag.word;
            left &= ~bit;
        }
    }
    for (const std::string& other : state.others)
        words += '+' + other;
    return words;
}

bool takesJobs(const NodeState& state) {
    if (state.base != NodeBase::Idle && state.base != NodeBase::Allocated && state.base != NodeBase::Mixed)
        return false;
    constexpr NodeFlag kClosed[] = {NodeFlag::Drain,       NodeFlag::NotResponding, NodeFlag::Fail,
                                    NodeFlag::Invalid,     NodeFlag::Maintenance,   NodeFlag::Reserved,
                                    NodeFlag::RebootIssued};
    return std::none_of(std::begin(kClosed), std::end(kClosed),
                        [&](NodeFlag flag) { return state.has(flag); });
}

std::vector<Gres> parseGres(std::string_view text) {
    std::vector<Gres> all;
    for (const std::string& entry : splitList(orNothing(trimmed(text)))) {
        const auto parts = split(withoutBrackets(entry), ':');
        if (parts.front().empty())
            continue;
        Gres gres{std::string(parts.front()), "", 1};
        for (std::size_t i = 1; i < parts.size(); ++i) {
            if (const auto count = integer(parts[i]); count && *count >= 0)
                gres.count = static_cast<std::uint64_t>(*count);
            else if (!parts[i].starts_with("no_consume"))
                gres.type = parts[i];
        }
        all.push_back(std::move(gres));
    }
    return all;
}

} // namespace ddp::remote::slurm
