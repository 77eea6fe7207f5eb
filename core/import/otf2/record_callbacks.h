// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/handles.h"

namespace ddp::otf2 {

/// Registers what hands events to the LocationRecorder of a LocationSink, the callbacks' user data.
void setRecordCallbacks(OTF2_EvtReaderCallbacks* all);

} // namespace ddp::otf2
