// SPDX-License-Identifier: GPL-3.0-or-later
// The budgets of the window that are no frames: up and empty, up with a run that was read before, its memory,
// and how long a dock takes for another visible window of eight ranks. The real window, without a display.
#include "tests/bench/bench_sets.h"
#include "tests/bench/bench_table.h"
#include "tests/bench/peak_memory.h"
#include "tests/ui/window_harness.h"
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ddp::bench {
namespace {

using Clock = std::chrono::steady_clock; // the same in the child as here

constexpr const char* kChild = "--window-in-child";
constexpr int kLongerThanThePause = 150; // ms, between two questions of the docks
constexpr int kWindows = 12;             // each 4/5 as long as the one before

std::int64_t nowNs() {
    return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

void waitFor(const std::function<bool()>& isSo, const char* what) {
    if (!QTest::qWaitFor(isSo, 60'000))
        throw std::runtime_error(std::string("waited a minute for ") + what);
}

// In the child: until there is something to look at, counted from `startNs`, and the memory when all is done.
int reportWindow(std::int64_t startNs, const char* folder) {
    test::WindowHarness harness;
    auto* canvas = harness.child<ui::TimelineCanvas>("timelineCanvas");
    std::int64_t seenNs = folder ? 0 : nowNs();
    QObject::connect(canvas, &QCustomPlot::afterReplot, canvas, [&] {
        if (seenNs == 0 && canvas->scene().store)
            seenNs = nowNs();
    });
    if (folder)
        harness.window().openPaths({folder});
    waitFor([&] { return seenNs != 0; }, "the first frame");
    waitFor([&] { return harness.window().idle(); }, "the analysis");
    std::printf("%lld %llu\n", static_cast<long long>(seenNs - startNs),
                static_cast<unsigned long long>(statusBytes("RssAnon") + statusBytes("RssShmem")));
    return 0;
}

std::pair<std::uint64_t, std::uint64_t> askWindow(const std::string& folder) {
    const std::string open = folder.empty() ? std::string() : fmt::format(" '{}'", folder);
    return askChild(fmt::format("{} {}{}", kChild, nowNs(), open));
}

void inChild(benchmark::State& state, const std::string& folder) {
    askWindow(folder); // reads the run, so that the cache knows it
    double bytes = 0;
    for (auto _ : state) {
        const auto [ns, anonymous] = askWindow(folder);
        state.SetIterationTime(static_cast<double>(ns) * 1e-9);
        bytes = static_cast<double>(anonymous);
    }
    state.counters["anonymous"] = bytes;
}

void empty(benchmark::State& state) {
    inChild(state, {});
}

void reopened(benchmark::State& state) {
    inChild(state, eightRanksSet().folder.string());
}

// The window with the run of eight ranks, for all docks.
std::unique_ptr<test::WindowHarness> g_opened;

test::WindowHarness& opened() {
    if (!g_opened) {
        g_opened = std::make_unique<test::WindowHarness>();
        g_opened->window().resize(1920, 1080);
        g_opened->window().openPaths({eightRanksSet().folder});
        waitFor([] { return g_opened->window().idle(); }, "the run");
    }
    return *g_opened;
}

// From the change of the visible window until the dock says that it shows it.
void dock(benchmark::State& state, const std::string& name) {
    test::WindowHarness& harness = opened();
    harness.child<QDockWidget>((name + "Dock").c_str())->raise();
    auto* canvas = harness.child<ui::TimelineCanvas>("timelineCanvas");
    const auto* label = harness.child<QLabel>((name + "Window").c_str());
    int zoomed = kWindows;
    for (auto _ : state) {
        if (zoomed == kWindows) {
            QTest::keyClick(canvas, Qt::Key_F);
            zoomed = 0;
        }
        QTest::qWait(kLongerThanThePause);
        waitFor([&] { return harness.window().idle(); }, "the docks");
        const QString before = label->text();
        const auto start = Clock::now();
        canvas->zoomIn();
        ++zoomed;
        while (label->text() == before)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
    }
}

const std::vector<std::string>& dockNames() {
    static const std::vector<std::string> names{"summary", "profile", "steps", "collectives", "findings"};
    return names;
}

void registerAll() {
    const auto add = [](const std::string& name, const auto& run, int iterations) {
        benchmark::RegisterBenchmark(name.c_str(), run)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(iterations);
    };
    add("empty", empty, 1);
    add("reopened", reopened, 1);
    for (const std::string& name : dockNames())
        add(
            name, [name](benchmark::State& state) { dock(state, name); }, kWindows);
}

void printTable(const Measured& measured) {
    const auto megabytes = [&](const char* name) { return measured.counter(name, "anonymous") / 1e6; };
    if (measured.has("empty"))
        printRow("window up and empty, from the start of the program", "<= 400 ms",
                 fmt::format("{:.0f} ms", measured.wall("empty")));
    printRow(fmt::format("8 ranks, {:.1f} M slices",
                         static_cast<double>(eightRanksSet().totals.sliceCount()) / 1e6),
             "", "");
    if (measured.has("reopened")) {
        printRow("  opened again: first frame, from the start", "<= 500 ms",
                 fmt::format("{:.0f} ms", measured.wall("reopened")));
        printRow("  memory of the window, analysis and all", "<= 150 MB",
                 fmt::format("{:.0f} MB", megabytes("reopened")));
    }
    for (const std::string& name : dockNames())
        if (measured.has(name))
            printRow("  another window, dock " + name, "<= 50 ms",
                     fmt::format("{:.1f} ms", measured.wall(name)));
}

} // namespace
} // namespace ddp::bench

int main(int argc, char** argv) {
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    const QApplication app(argc, argv);
    try {
        if (argc >= 3 && std::string_view(argv[1]) == ddp::bench::kChild)
            return ddp::bench::reportWindow(std::stoll(argv[2]), argc > 3 ? argv[3] : nullptr);
        const ddp::test::TempFolder cache;
        ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
        const int status =
            ddp::bench::runBenchmarks(argc, argv, ddp::bench::registerAll, ddp::bench::printTable);
        ddp::bench::g_opened.reset(); // before the application
        return status;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "window_bench: %s\n", error.what());
        return 1;
    }
}
