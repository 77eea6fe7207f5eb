// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/resolve.h"

#include "core/import/location_name.h"
#include "core/import/otf2/enums.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace ddp::otf2 {

namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

class Resolver {
public:
    explicit Resolver(ArchiveTables& tables) : m_raw(tables.raw), m_tables(tables) {}

    TraceDefinitions run() {
        clock();
        processes();
        for (const auto& location : m_raw.locations)
            addLocation(location);
        for (const auto& region : m_raw.regions)
            addRegion(region);
        m_tables.processOfGroup = std::move(m_processOf);
        m_tables.fill(m_out);
        m_danglingReferences += m_tables.contexts.brokenParents();
        add("duplicate_definition", IssueSeverity::Warning, m_raw.duplicates,
            "Definitions were written twice under one number; the first was used.");
        add("unknown_definition", IssueSeverity::Info, m_raw.unknown,
            "Definition records of a later OTF2 version were passed over.");
        add("unknown_region_role", IssueSeverity::Info, m_unknownRoles,
            "Regions have a role that this version does not know; they are treated as plain regions.");
        add("undefined_reference", IssueSeverity::Warning, m_danglingReferences,
            "Definitions refer to definitions that the archive does not hold; names or hosts may be "
            "missing.");
        return std::move(m_out);
    }

private:
    void add(const char* name, IssueSeverity severity, std::uint64_t count, const char* sentence) {
        if (count > 0)
            m_out.issues.push_back({name, severity, count, std::nullopt, std::nullopt, sentence});
    }

    void clock() {
        m_out.clock.globalOffset = m_raw.globalOffset;
        m_out.clock.traceLength = m_raw.traceLength;
        if (m_raw.ticksPerSecond > 0) {
            m_out.clock.ticksPerSecond = m_raw.ticksPerSecond;
        } else {
            add("no_clock", IssueSeverity::Warning, 1,
                "The archive does not say how long a tick of its clock is; one nanosecond was taken.");
        }
    }

    std::string text(OTF2_StringRef id) {
        if (id != OTF2_UNDEFINED_STRING && !m_raw.strings.contains(id))
            ++m_danglingReferences;
        return std::string(m_raw.text(id));
    }

    // Climbs from a node to the one that `wanted` accepts. The number of nodes bounds the way: damaged
    // definitions may be each other's parent.
    template <class Wanted>
    const RawDefinitions::Node* climb(OTF2_SystemTreeNodeRef id, Wanted wanted) const {
        for (std::size_t steps = 0; steps <= m_raw.nodes.size(); ++steps) {
            const auto node = m_raw.nodes.find(id);
            if (node == m_raw.nodes.end())
                return nullptr;
            if (wanted(lower(m_raw.text(node->second.className))))
                return &node->second;
            id = node->second.parent;
        }
        return nullptr;
    }

    // The host is the node of class "node"; a tracer without such a class may still name a machine. Score-P's
    // machine is the platform ("Linux"), which is no host.
    std::optional<std::string> hostOf(OTF2_SystemTreeNodeRef id) const {
        const auto* node =
            climb(id, [](const std::string& name) { return name == "node" || name == "host"; });
        if (!node)
            node = climb(id, [](const std::string& name) { return name == "machine"; });
        const std::string_view name = node ? m_raw.text(node->name) : std::string_view{};
        return name.empty() || name == "Linux" ? std::nullopt : std::optional<std::string>(name);
    }

    // Every process is a rank. What an accelerator holds belongs to the process that created it; archives
    // before 3.0 do not say which, then it is the only one of the archive, or a process of its own.
    void processes() {
        for (const auto& group : m_raw.groups)
            if (group.type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
                addProcess(group);
        const std::size_t real = m_out.processes.size();
        for (const auto& group : m_raw.groups) {
            if (group.type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
                continue;
            m_accelerators.emplace(group.id, group.node);
            if (const auto creator = m_processOf.find(group.creator); creator != m_processOf.end())
                m_processOf.emplace(group.id, creator->second);
            else if (real == 1)
                m_processOf.emplace(group.id, 0);
            else
                addProcess(group);
        }
        if (m_out.processes.empty())
            m_out.processes.push_back({});
    }

    void addProcess(const RawDefinitions::Group& group) {
        m_processOf.emplace(group.id, m_out.processes.size());
        m_out.processes.push_back({text(group.name), hostOf(group.node)});
    }

    void addLocation(const RawDefinitions::Location& raw) {
        DeclaredLocation location;
        location.id = raw.id;
        location.name = text(raw.name);
        location.kind = kindOf(raw.type);
        location.events = raw.events;
        if (const auto process = m_processOf.find(raw.group); process != m_processOf.end())
            location.process = process->second;
        else
            ++m_danglingReferences;
        const auto named = parseStreamName(location.name);
        if (named && location.kind == LocationKind::Other)
            location.kind = LocationKind::Stream;
        if (location.kind == LocationKind::Stream) {
            if (named) {
                location.device = named->device;
                location.stream = named->stream;
            }
            if (!location.device)
                location.device = deviceOf(raw.group);
        }
        m_out.locations.push_back(std::move(location));
    }

    // "CUDA Device" or "ROCm Device" 1: the node above an accelerator's group.
    std::optional<int> deviceOf(OTF2_LocationGroupRef group) const {
        const auto accelerator = m_accelerators.find(group);
        if (accelerator == m_accelerators.end())
            return std::nullopt;
        const auto* node =
            climb(accelerator->second, [](const std::string& name) { return name.ends_with("device"); });
        return node ? parseNumber(m_raw.text(node->name)) : std::nullopt;
    }

    void addRegion(const RawDefinitions::Region& raw) {
        RegionDescription region;
        region.name = text(raw.name);
        if (region.name.empty())
            region.name = fmt::format("(region {} without a name)", raw.id);
        region.canonicalName = text(raw.canonicalName);
        if (region.canonicalName == region.name)
            region.canonicalName.clear();
        region.sourceFile = text(raw.sourceFile);
        region.paradigm = paradigmName(raw.paradigm);
        if (const auto defined = m_raw.paradigms.find(raw.paradigm);
            region.paradigm.empty() && defined != m_raw.paradigms.end())
            region.paradigm = lower(m_raw.text(defined->second));
        region.line = raw.line;
        const auto role = roleOf(raw.role);
        m_unknownRoles += role ? 0 : 1;
        region.role =
            region.sourceFile == "CUDA_KERNEL" ? RegionRole::Kernel : role.value_or(RegionRole::Other);
        m_out.regions.push_back(std::move(region));
    }

    const RawDefinitions& m_raw;
    ArchiveTables& m_tables;
    TraceDefinitions m_out;
    std::unordered_map<OTF2_LocationGroupRef, std::size_t> m_processOf;
    std::unordered_map<OTF2_LocationGroupRef, OTF2_SystemTreeNodeRef> m_accelerators;
    std::uint64_t m_unknownRoles = 0;
    std::uint64_t m_danglingReferences = 0;
};

} // namespace

TraceDefinitions resolve(ArchiveTables& tables) {
    return Resolver(tables).run();
}

} // namespace ddp::otf2
