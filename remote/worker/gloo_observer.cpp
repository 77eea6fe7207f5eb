// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/gloo_observer.h"

#include <ATen/record_function.h>

#include <atomic>
#include <cstring>
#include <memory>

namespace ddp::worker {

namespace {

// libtorch takes plain function pointers only, so the recorder has to be found without an object.
std::atomic<trace::Recorder*> g_recorder{nullptr};

/// Lives from the begin of an event to its end; being made is what tells that it was entered.
struct Entered : at::ObserverContext {};

std::unique_ptr<at::ObserverContext> onBegin(const at::RecordFunction& function) {
    const char* name = function.name();
    if (name == nullptr || std::strncmp(name, "gloo:", 5) != 0)
        return nullptr;
    g_recorder.load()->enter(name, trace::RegionKind::Collective);
    return std::make_unique<Entered>();
}

void onEnd(const at::RecordFunction& function, at::ObserverContext* entered) {
    if (entered != nullptr)
        g_recorder.load()->leave(function.name(), trace::RegionKind::Collective);
}

} // namespace

void observeGloo(trace::Recorder& recorder) {
    g_recorder = &recorder;
    at::addGlobalCallback(at::RecordFunctionCallback(onBegin, onEnd).scopes({at::RecordScope::USER_SCOPE}));
}

} // namespace ddp::worker
