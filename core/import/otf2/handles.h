// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <otf2/otf2.h>

namespace ddp::otf2 {

/// Owners of libotf2's objects. A local reader is closed through its archive's reader and must go before it.
struct CloseReader {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Reader = std::unique_ptr<OTF2_Reader, CloseReader>;

template <class Part, OTF2_ErrorCode (*close)(OTF2_Reader*, Part*)>
struct ClosePart {
    OTF2_Reader* reader = nullptr;
    void operator()(Part* part) const { close(reader, part); }
};
template <class Part, OTF2_ErrorCode (*close)(OTF2_Reader*, Part*)>
using PartOf = std::unique_ptr<Part, ClosePart<Part, close>>;

using GlobalDefinitionReader = PartOf<OTF2_GlobalDefReader, OTF2_Reader_CloseGlobalDefReader>;
using LocalDefinitionReader = PartOf<OTF2_DefReader, OTF2_Reader_CloseDefReader>;
using MarkerReader = PartOf<OTF2_MarkerReader, OTF2_Reader_CloseMarkerReader>;
using EventReader = PartOf<OTF2_EvtReader, OTF2_Reader_CloseEvtReader>;

template <class Callbacks, void (*release)(Callbacks*)>
struct Release {
    void operator()(Callbacks* callbacks) const { release(callbacks); }
};
using GlobalDefinitionCallbacks =
    std::unique_ptr<OTF2_GlobalDefReaderCallbacks,
                    Release<OTF2_GlobalDefReaderCallbacks, OTF2_GlobalDefReaderCallbacks_Delete>>;
using MarkerCallbacks =
    std::unique_ptr<OTF2_MarkerReaderCallbacks,
                    Release<OTF2_MarkerReaderCallbacks, OTF2_MarkerReaderCallbacks_Delete>>;
using EventCallbacks = std::unique_ptr<OTF2_EvtReaderCallbacks,
                                       Release<OTF2_EvtReaderCallbacks, OTF2_EvtReaderCallbacks_Delete>>;

/// Null when the archive can not be opened; the reason is in the thread's ErrorCapture.
inline Reader openReader(const char* anchor) {
    Reader reader(OTF2_Reader_Open(anchor));
    if (reader && OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS)
        reader.reset();
    return reader;
}

} // namespace ddp::otf2
