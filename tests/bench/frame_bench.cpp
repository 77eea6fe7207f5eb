// SPDX-License-Identifier: GPL-3.0-or-later
// Whole frames of the timeline: the real canvas, 1920×1080 and offscreen, over a run of 100 ranks and 500
// lanes (DDP_BENCH_EVENTS; 10 million by default), at many zooms, places and scroll positions. Times are
// those that the thread spent on the CPU, so that what else the machine does counts little.
#include "core/analysis/run_analysis.h"
#include "tests/bench/bench_sets.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>
#include <QEventLoop>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <ctime>
#include <random>
#include <vector>

namespace ddp::bench {
namespace {

constexpr int kRanks = 100;

/// Few of a small run, which is there to see that this works.
int framesPerZoom() {
    return benchEvents() < 100'000 ? 1 : 60;
}
constexpr int kDeepest = 18; // the window is the run divided by 2^this

double cpuMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

class Picture {
public:
    Picture() {
        test::GeneratorOptions options;
        options.ranks = kRanks;
        options.events = benchEvents();
        options.oneArchive = true;
        options.keepSlices = false;
        options.overlappingKernels = true;
        options.chunkBytes = 1 << 18;
        generateOtf2(m_folder.path() / "set", options);
        m_session.open({m_folder.path() / "set"}, QStringLiteral("bench"), false);
        while (m_session.loading())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        const auto analysis = RunAnalysis::of(m_session.store(), ClassRules::builtin(), {});
        canvas.setAnalysis(analysis);
        canvas.setCollectives(ui::CollectiveIndex::of(analysis, {}));
        canvas.setRecords(ui::countersOf(m_session.store(), {}), ui::MessageIndex::of(m_session.store(), {}));
        canvas.resize(1920, 1080);
        canvas.show();
        QApplication::processEvents();
    }
    /// Everything from the change of the window to the pixels on the screen.
    double frame(TimeRange visible, int scroll) {
        const double start = cpuMilliseconds();
        view.setVisible(visible);
        canvas.setScroll(scroll);
        canvas.replot(QCustomPlot::rpImmediateRefresh);
        const double time = cpuMilliseconds() - start;
        QApplication::processEvents(); // the replots that were only asked for
        return time;
    }

private:
    test::TempFolder m_folder;
    ui::TaskRunner m_runner;
    ui::TraceSession m_session{m_runner};
    ui::Palette m_palette{ui::ThemeMode::Light};

public:
    ui::ViewState view;
    ui::TimelineCanvas canvas{m_session, view, m_palette};
};

Picture* thePicture = nullptr;

void report(benchmark::State& state, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
    state.counters["most_ms"] = times.back();
    state.counters["lanes"] = static_cast<double>(std::count_if(
        thePicture->canvas.scene().layout.rows().begin(), thePicture->canvas.scene().layout.rows().end(),
        [](const ui::TimelineRow& row) { return row.kind == ui::RowKind::Lane; }));
}

std::vector<double> frames(int zoom, int count) {
    const TimeRange whole = thePicture->view.extent();
    const std::int64_t length = std::max<std::int64_t>(whole.length().count >> zoom, 20);
    std::mt19937_64 random(static_cast<unsigned>(zoom));
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const auto begin = static_cast<std::int64_t>(
            random() % static_cast<std::uint64_t>(whole.length().count - length + 1));
        const auto scroll =
            static_cast<int>(random() % static_cast<unsigned>(thePicture->canvas.scrollRange() + 1));
        times.push_back(thePicture->frame({Nanoseconds(begin), Nanoseconds(begin + length)}, scroll));
    }
    return times;
}

// range(0): the zoom; range(1): 1 with all ranks folded.
void frame(benchmark::State& state) {
    thePicture->canvas.foldAll(state.range(1) != 0);
    std::vector<double> times;
    for (auto _ : state)
        times = frames(static_cast<int>(state.range(0)), framesPerZoom());
    report(state, std::move(times));
}
BENCHMARK(frame)
    ->ArgsProduct({benchmark::CreateDenseRange(0, kDeepest, 1), {0, 1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// What the budget speaks of: all zooms together.
void anyZoom(benchmark::State& state) {
    thePicture->canvas.foldAll(false);
    std::vector<double> times;
    for (auto _ : state)
        for (int zoom = 0; zoom <= kDeepest; ++zoom) {
            const std::vector<double> some = frames(zoom, framesPerZoom());
            times.insert(times.end(), some.begin(), some.end());
        }
    report(state, std::move(times));
}
BENCHMARK(anyZoom)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace ddp::bench

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 64;
    ddp::bench::Picture picture;
    ddp::bench::thePicture = &picture;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
