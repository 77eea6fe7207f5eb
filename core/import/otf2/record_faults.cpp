// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/record_faults.h"

namespace ddp::otf2 {

namespace {

struct Text {
    const char* name;
    IssueSeverity severity;
    const char* sentence;
};

// In the order of RecordFault.
constexpr std::array kTexts{
    Text{"undefined_metric", IssueSeverity::Warning,
         "Samples name a metric that the archive does not define; their counter has no name and no unit."},
    Text{"metric_mismatch", IssueSeverity::Warning,
         "Samples have another type or another number of values than their metric; they were converted, and "
         "values without a metric left out."},
    Text{"undefined_parameter", IssueSeverity::Warning,
         "Parameters have a name that the archive does not define."},
    Text{"undefined_attribute", IssueSeverity::Warning,
         "Attributes have a name that the archive does not define."},
    Text{"undefined_value", IssueSeverity::Warning,
         "Attributes or parameters refer to something that the archive does not define."},
    Text{"attribute_outside_region", IssueSeverity::Warning,
         "Attributes or parameters were recorded while no region was open; they were left out."},
    Text{"undefined_communicator", IssueSeverity::Warning,
         "Messages or collective operations name a communicator, or a rank in it, that the archive does not "
         "define."},
    Text{"undefined_window", IssueSeverity::Warning,
         "Memory transfers name a window that the archive does not define."},
    Text{"unfinished_transfer", IssueSeverity::Warning,
         "Memory transfers were begun and never completed; they are drawn up to the last event of their "
         "location."},
    Text{"unmatched_transfer_end", IssueSeverity::Warning,
         "Memory transfers were completed that had not been begun; these records were passed over."},
    Text{"unmatched_request", IssueSeverity::Warning,
         "Requests were completed that had not been made; they are taken as made at that time."},
    Text{"unfinished_collective", IssueSeverity::Warning,
         "Collective operations were begun and never completed; they are not shown."},
    Text{"unmatched_collective_end", IssueSeverity::Warning,
         "Collective operations were completed that had not been begun; they are shown at that time."},
    Text{"undefined_calling_context", IssueSeverity::Warning,
         "Calling context events name a context that the archive does not define; they were passed over."},
    Text{"calling_context_mismatch", IssueSeverity::Warning,
         "Calling context events do not continue the stack that the event before them left; the stack was "
         "taken from the event."},
    Text{"calling_contexts_left_out", IssueSeverity::DataLoss,
         "Calling context events enter more frames than a real stack does and were left out: the trace is "
         "probably damaged."},
    Text{"unknown_value", IssueSeverity::Info,
         "Records hold types or modes of a later OTF2 version; their values are shown as plain numbers."},
    Text{"buffer_flush", IssueSeverity::Warning,
         "The tracer wrote its buffer to the disk while it measured, which takes time that is not the "
         "program's; raise SCOREP_TOTAL_MEMORY."},
    Text{"measurement_off", IssueSeverity::Info,
         "The measurement was switched off for a time; what happened meanwhile is not in the trace."}};
static_assert(kTexts.size() == static_cast<std::size_t>(RecordFault::Count));

} // namespace

std::vector<ImportIssue> RecordFaults::issues() const {
    std::vector<ImportIssue> all;
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        if (m_counts[i] > 0)
            all.push_back({kTexts[i].name, kTexts[i].severity, m_counts[i], std::nullopt, std::nullopt,
                           kTexts[i].sentence});
    return all;
}

} // namespace ddp::otf2
