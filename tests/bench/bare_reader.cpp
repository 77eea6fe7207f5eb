// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bare_reader.h"

#include <atomic>
#include <memory>
#include <otf2/otf2.h>
#include <stdexcept>
#include <thread>

namespace ddp::bench {

namespace {

void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(OTF2_Error_GetDescription(code));
}

template <class... Rest>
OTF2_CallbackCode count(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* userData, OTF2_AttributeList*,
                        Rest...) {
    ++*static_cast<std::uint64_t*>(userData);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode noteLocation(void* userData, OTF2_LocationRef location, OTF2_StringRef, OTF2_LocationType,
                               std::uint64_t, OTF2_LocationGroupRef) {
    static_cast<std::vector<OTF2_LocationRef>*>(userData)->push_back(location);
    return OTF2_CALLBACK_SUCCESS;
}

// The kinds of record that the generated sets hold.
OTF2_EvtReaderCallbacks* countingCallbacks() {
    OTF2_EvtReaderCallbacks* all = OTF2_EvtReaderCallbacks_New();
    check(OTF2_EvtReaderCallbacks_SetEnterCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetLeaveCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetMetricCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetProgramBeginCallback(all, count));
    check(OTF2_EvtReaderCallbacks_SetProgramEndCallback(all, count));
    return all;
}

void readLocation(OTF2_Reader* reader, OTF2_LocationRef location, OTF2_EvtReaderCallbacks* callbacks,
                  std::uint64_t& events) {
    std::uint64_t read = 0;
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, location);
    check(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read));
    check(OTF2_Reader_CloseDefReader(reader, definitions));
    OTF2_EvtReader* reading = OTF2_Reader_GetEvtReader(reader, location);
    check(OTF2_Reader_RegisterEvtCallbacks(reader, reading, callbacks, &events));
    check(OTF2_Reader_ReadAllLocalEvents(reader, reading, &read));
    check(OTF2_Reader_CloseEvtReader(reader, reading));
}

// Part `part` of `parts` of the locations of one archive.
std::uint64_t readPart(const std::filesystem::path& anchor, std::size_t part, std::size_t parts) {
    OTF2_Reader* reader = OTF2_Reader_Open(anchor.c_str());
    if (!reader)
        throw std::runtime_error(anchor.string() + " can not be opened");
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
    std::vector<OTF2_LocationRef> locations;
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks* notes = OTF2_GlobalDefReaderCallbacks_New();
    check(OTF2_GlobalDefReaderCallbacks_SetLocationCallback(notes, noteLocation));
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, notes, &locations));
    std::uint64_t read = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read));
    OTF2_GlobalDefReaderCallbacks_Delete(notes);
    for (std::size_t i = part; i < locations.size(); i += parts)
        check(OTF2_Reader_SelectLocation(reader, locations[i]));
    check(OTF2_Reader_OpenDefFiles(reader));
    check(OTF2_Reader_OpenEvtFiles(reader));
    OTF2_EvtReaderCallbacks* callbacks = countingCallbacks();
    std::uint64_t events = 0;
    for (std::size_t i = part; i < locations.size(); i += parts)
        readLocation(reader, locations[i], callbacks, events);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    check(OTF2_Reader_Close(reader));
    return events;
}

} // namespace

std::uint64_t readBare(const std::vector<std::filesystem::path>& anchors, std::size_t threads) {
    const std::size_t parts = anchors.size() >= threads ? 1 : threads;
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> events{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < anchors.size() * parts; i = next++)
            events += readPart(anchors[i / parts], i % parts, parts);
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i)
        helpers.emplace_back(run);
    run();
    helpers.clear();
    return events;
}

} // namespace ddp::bench
