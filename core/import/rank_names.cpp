// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/rank_names.h"

#include "core/import/location_name.h"

#include <algorithm>
#include <set>
#include <string>

namespace ddp {

namespace {

std::optional<int> numberOf(const TraceDefinitions& definitions, const char* property) {
    const auto found = definitions.properties.find(property);
    return found == definitions.properties.end() ? std::nullopt : parseNumber(found->second);
}

// What speaks for a whole archive names a rank only if the archive is one process.
NamedRank nameOne(const RankEvidence& evidence, NamedRank named) {
    const TraceDefinitions& definitions = *evidence.definitions;
    const bool alone = definitions.processes.size() == 1;
    if (alone) {
        named.source = RankSource::Archive;
        named.rank = numberOf(definitions, "DDPSCOPE::RANK");
        for (const char* variable : {"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"}) {
            if (named.rank)
                return named;
            named.source = RankSource::Environment;
            named.rank = numberOf(definitions, variable);
        }
        if (named.rank)
            return named;
    }
    named.source = RankSource::Archive;
    named.rank = parseRank(definitions.processes[named.process].name);
    if (named.rank)
        return named;
    if (alone) {
        named.source = RankSource::Directory;
        for (const std::string& folder : evidence.found->folders)
            if ((named.rank = parseRank(folder)))
                return named;
    }
    named.source = RankSource::Order;
    return named;
}

} // namespace

std::vector<NamedRank> nameRanks(std::span<const RankEvidence> archives) {
    std::vector<NamedRank> ranks;
    std::set<int> taken;
    for (std::size_t archive = 0; archive < archives.size(); ++archive) {
        for (std::size_t process = 0; process < archives[archive].definitions->processes.size(); ++process) {
            ranks.push_back(nameOne(archives[archive], {archive, process, std::nullopt, RankSource::Order}));
            if (ranks.back().rank)
                taken.insert(*ranks.back().rank);
        }
    }
    int next = 0;
    for (NamedRank& rank : ranks) {
        if (rank.rank)
            continue;
        while (taken.contains(next))
            ++next;
        rank.rank = next++;
    }
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const NamedRank& a, const NamedRank& b) { return a.rank < b.rank; });
    return ranks;
}

} // namespace ddp
