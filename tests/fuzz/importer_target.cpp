// SPDX-License-Identifier: GPL-3.0-or-later
// The importer on any bytes: openRun() comes back with one sentence, or with a store that keeps its promises.
#include "core/import/open_run.h"
#include "tests/fuzz/file_container.h"
#include "tests/fuzz/promises.h"

// libotf2 forgets a few hundred bytes of every anchor and mapping table that it refuses.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
    return "leak:libopen-trace-format2\n";
}

namespace {

ddp::OpenOptions withoutCache() {
    ddp::OpenOptions options;
    options.cache = false;
    return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ddp;
    static fuzz::RunFolder folder;
    static int runs = 0;
    folder.fill(fuzz::unpack({data, size}));
    const int descriptor = fuzz::nextDescriptor();
    Progress progress;
    const auto store = openRun({folder.path()}, withoutCache(), {}, progress);
    if (store)
        fuzz::checkStore(**store);
    else
        fuzz::require(!store.error().message.empty() && store.error().message.find('\n') == std::string::npos,
                      "an error is one sentence");
    if (runs++ > 0) // the first run may open something for good
        fuzz::requireNoFileLeftOpen(descriptor);
    return 0;
}
