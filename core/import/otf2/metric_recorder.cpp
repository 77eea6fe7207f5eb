// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LocationRecorder that makes counters of METRIC events.
#include "core/import/otf2/location_recorder.h"

#include <algorithm>
#include <fmt/format.h>

namespace ddp::otf2 {

namespace {

// An exponent beyond this makes every value 0 or infinite.
constexpr std::int64_t kMostExponent = 1100;

std::optional<ValueType> valueType(OTF2_Type type) {
    switch (type) {
    case OTF2_TYPE_INT64:
        return ValueType::Int64;
    case OTF2_TYPE_UINT64:
        return ValueType::Uint64;
    case OTF2_TYPE_DOUBLE:
        return ValueType::Double;
    default:
        return std::nullopt;
    }
}

Value valueOf(const OTF2_MetricValue& value, ValueType type) {
    return type == ValueType::Double  ? Value::of(value.floating_point)
           : type == ValueType::Int64 ? Value::of(std::int64_t{value.signed_int})
                                      : Value::of(std::uint64_t{value.unsigned_int});
}

// Into another type, as near as that can express it.
Value convert(Value value, ValueType from, ValueType to) {
    constexpr double kTwoTo63 = 9223372036854775808.0;
    if (from == to)
        return value;
    const double number = value.asDouble(from);
    switch (to) {
    case ValueType::Double:
        return Value::of(number);
    case ValueType::Int64:
        if (from == ValueType::Uint64)
            return Value::of(static_cast<std::int64_t>(std::min<std::uint64_t>(value.bits, INT64_MAX)));
        return Value::of(number >= kTwoTo63    ? INT64_MAX
                         : number >= -kTwoTo63 ? static_cast<std::int64_t>(number)
                                               : INT64_MIN); // of NaN too
    default:
        if (from == ValueType::Int64)
            return Value::of(static_cast<std::uint64_t>(std::max<std::int64_t>(value.signedNumber(), 0)));
        return Value::of(number >= 2 * kTwoTo63 ? UINT64_MAX
                         : number > 0           ? static_cast<std::uint64_t>(number)
                                                : std::uint64_t{0});
    }
}

template <class Map, class Key>
const typename Map::mapped_type* lookUp(const Map& map, Key key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
}

void setMode(OTF2_MetricMode mode, Counter& counter, bool& known) {
    known = true;
    switch (mode & OTF2_METRIC_VALUE_MASK) {
    case OTF2_METRIC_VALUE_ACCUMULATED:
        counter.mode = CounterMode::Accumulated;
        break;
    case OTF2_METRIC_VALUE_RELATIVE:
        counter.mode = CounterMode::Relative;
        break;
    case OTF2_METRIC_VALUE_ABSOLUTE:
        counter.mode = CounterMode::Absolute;
        break;
    default:
        known = false;
    }
    switch (mode & OTF2_METRIC_TIMING_MASK) {
    case OTF2_METRIC_TIMING_START:
        counter.timing = CounterTiming::SinceStart;
        break;
    case OTF2_METRIC_TIMING_LAST:
        counter.timing = CounterTiming::SinceLast;
        break;
    case OTF2_METRIC_TIMING_NEXT:
        counter.timing = CounterTiming::UntilNext;
        break;
    case OTF2_METRIC_TIMING_POINT:
        counter.timing = CounterTiming::Point;
        break;
    default:
        known = false;
    }
}

} // namespace

// What an instance tells about, and whose it is: a GPU's power belongs to the process that uses the GPU.
void LocationRecorder::addScope(OTF2_MetricRef id, Counter& counter) {
    const auto* instance = lookUp(m_tables.raw.metricInstances, id);
    if (!instance)
        return;
    const std::uint64_t about = instance->scopeRef;
    const auto belongsTo = [&](const std::size_t* process) {
        if (process)
            counter.rankIndex = m_target.ranks[*process];
    };
    switch (instance->scope) {
    case OTF2_SCOPE_LOCATION:
        counter.scope = text(OTF2_TYPE_LOCATION, about);
        return belongsTo(lookUp(m_tables.processOfLocation, about));
    case OTF2_SCOPE_LOCATION_GROUP:
        counter.scope = text(OTF2_TYPE_LOCATION_GROUP, about);
        return belongsTo(lookUp(m_tables.processOfGroup, static_cast<OTF2_LocationGroupRef>(about)));
    case OTF2_SCOPE_SYSTEM_TREE_NODE: {
        const auto* node = lookUp(m_tables.raw.nodes, static_cast<OTF2_SystemTreeNodeRef>(about));
        counter.scope = node ? text(OTF2_TYPE_STRING, node->name) : counter.scope;
        return;
    }
    case OTF2_SCOPE_GROUP:
        counter.scope = text(OTF2_TYPE_GROUP, about);
        return;
    default:
        count(RecordFault::UnknownValue);
    }
}

Counter LocationRecorder::describe(OTF2_MetricRef id, std::size_t member, OTF2_Type type) {
    Counter counter;
    counter.rankIndex = TraceRecords::kNotInRun; // of its location, if its scope does not say another one
    counter.name = counter.description = counter.unit = counter.scope = records().text("");
    counter.type = valueType(type).value_or(ValueType::Uint64);
    const auto* instance = lookUp(m_tables.raw.metricInstances, id);
    const auto* members = lookUp(m_tables.raw.metricClasses, instance ? instance->metricClass : id);
    const auto* defined = members && member < members->size()
                              ? lookUp(m_tables.raw.metricMembers, (*members)[member])
                              : nullptr;
    if (!defined) {
        count(RecordFault::UndefinedMetric);
        counter.name = records().text(fmt::format("(undefined metric {}, value {})", id, member));
        return counter;
    }
    counter.name = text(OTF2_TYPE_STRING, defined->name);
    counter.description = text(OTF2_TYPE_STRING, defined->description);
    counter.unit = text(OTF2_TYPE_STRING, defined->unit);
    counter.base = defined->base == OTF2_BASE_BINARY ? 2 : 10;
    counter.exponent =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(defined->exponent, -kMostExponent, kMostExponent));
    bool known = false;
    setMode(defined->mode, counter, known);
    const auto declared = valueType(defined->type);
    counter.type = declared.value_or(counter.type);
    if (!known || !declared)
        count(RecordFault::UnknownValue);
    addScope(id, counter);
    return counter;
}

// One counter per value; a metric that is not defined has as many as its first event.
const std::vector<std::uint32_t>& LocationRecorder::countersOf(OTF2_MetricRef id,
                                                               std::span<const OTF2_Type> types) {
    const auto [known, isNew] = m_counters.try_emplace(id);
    if (isNew) {
        const auto* instance = lookUp(m_tables.raw.metricInstances, id);
        const auto* members = lookUp(m_tables.raw.metricClasses, instance ? instance->metricClass : id);
        const std::size_t values = members ? members->size() : types.size();
        for (std::size_t i = 0; i < values; ++i)
            known->second.push_back(records().addCounter(
                describe(id, i, i < types.size() ? types[i] : OTF2_Type{OTF2_TYPE_NONE})));
    }
    return known->second;
}

void LocationRecorder::metric(std::int64_t ns, OTF2_MetricRef id, std::span<const OTF2_Type> types,
                              const OTF2_MetricValue* values) {
    const auto& counters = countersOf(id, types);
    bool fits = types.size() == counters.size();
    for (std::size_t i = 0; i < std::min(types.size(), counters.size()); ++i) {
        const ValueType wanted = records().counterType(counters[i]);
        const ValueType found = valueType(types[i]).value_or(ValueType::Uint64);
        fits &= wanted == found;
        records().addSample(counters[i], ns, convert(valueOf(values[i], found), found, wanted));
    }
    if (!fits)
        count(RecordFault::MetricMismatch);
}

} // namespace ddp::otf2
