// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_name.h"

#include <array>
#include <cctype>
#include <string>

namespace ddp {

namespace {

struct Word {
    std::string_view text;
    CollectiveFamily family;
};

// In this order: "reduce" is in three others. Lower case, without underscores.
constexpr std::array kWords{
    Word{"allreduce", CollectiveFamily::AllReduce},
    Word{"allgather", CollectiveFamily::AllGather},
    Word{"reducescatter", CollectiveFamily::ReduceScatter},
    Word{"alltoall", CollectiveFamily::AllToAll},
    Word{"sendrecv", CollectiveFamily::PointToPoint},
    Word{"broadcast", CollectiveFamily::Broadcast},
    Word{"bcast", CollectiveFamily::Broadcast},
    Word{"barrier", CollectiveFamily::Barrier},
    Word{"scan", CollectiveFamily::Scan},
    Word{"gather", CollectiveFamily::Gather},
    Word{"scatter", CollectiveFamily::Scatter},
    Word{"reduce", CollectiveFamily::Reduce},
    Word{"send", CollectiveFamily::PointToPoint},
    Word{"recv", CollectiveFamily::PointToPoint},
};

} // namespace

CollectiveFamily collectiveFamily(std::string_view name) {
    std::string text;
    for (const char c : name.substr(0, name.find_first_of("(<"))) // the arguments say nothing about it
        if (c != '_')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const Word& word : kWords)
        if (text.find(word.text) != std::string::npos)
            return word.family;
    return CollectiveFamily::Other;
}

bool endsTogether(CollectiveFamily family) {
    switch (family) {
    case CollectiveFamily::AllReduce:
    case CollectiveFamily::AllGather:
    case CollectiveFamily::ReduceScatter:
    case CollectiveFamily::AllToAll:
    case CollectiveFamily::Barrier:
    case CollectiveFamily::Other: // mostly one of these under a common name; whether it fits is looked at
        return true;
    case CollectiveFamily::Broadcast:
    case CollectiveFamily::Reduce:
    case CollectiveFamily::Gather:
    case CollectiveFamily::Scatter:
    case CollectiveFamily::Scan:
    case CollectiveFamily::PointToPoint:
        return false;
    }
    return false;
}

std::optional<double> busFactor(CollectiveFamily family, std::size_t members) {
    if (members < 2)
        return std::nullopt;
    const double n = static_cast<double>(members);
    switch (family) {
    case CollectiveFamily::AllReduce:
        return 2 * (n - 1) / n;
    case CollectiveFamily::AllGather:
    case CollectiveFamily::ReduceScatter:
        return (n - 1) / n;
    case CollectiveFamily::Broadcast:
    case CollectiveFamily::Reduce:
        return 1;
    default:
        return std::nullopt;
    }
}

} // namespace ddp
