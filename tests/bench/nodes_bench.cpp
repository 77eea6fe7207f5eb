// SPDX-License-Identifier: GPL-3.0-or-later
// The dashboard with the nodes of a large cluster: what happens in the UI thread, until it is painted.
#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "tests/bench/bench_table.h"
#include "tests/support/temp_folder.h"
#include "ui/dialogs/connection_questions.h"
#include "ui/models/job_rows.h"
#include "ui/panels/cluster_nodes_panel.h"

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <vector>

namespace ddp::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNodes = 10'000;
const std::vector<const char*>& filters() {
    static const std::vector<const char*> all{
        "n", "no", "node0", "node012", "drain", "drain kill", "a100 mixed", "rack17", "fail lost", "zzz", ""};
    return all;
}

std::vector<remote::slurm::Node> nodes(bool later) {
    std::vector<remote::slurm::Node> all;
    for (int i = 0; i < kNodes; ++i) {
        remote::slurm::Node node;
        node.name = fmt::format("node{:05}", i);
        node.hostName = node.name;
        node.state = remote::slurm::parseNodeState(i % 7 == 0    ? "IDLE+DRAIN"
                                                   : i % 11 == 0 ? "DOWN*"
                                                   : later       ? "IDLE"
                                                                 : "MIXED");
        if (i % 7 == 0)
            node.reason = remote::slurm::NodeReason{"Kill task failed", "root", 1'796'040'773};
        node.features = {"a100", "ib", fmt::format("rack{}", i / 32)};
        node.partitions = {"gpu", i % 3 == 0 ? "long" : "short"};
        node.gres = remote::slurm::parseGres("gpu:a100:8(S:0-1)");
        node.gresUsed = remote::slurm::parseGres("gpu:a100:4(IDX:0-3)");
        all.push_back(std::move(node));
    }
    return all;
}

ui::NodeChecks checks() {
    std::vector<remote::JobRecord> jobs;
    for (int i = 0; i < kNodes; i += 5) {
        remote::JobRecord job;
        job.id = fmt::format("poc-{}", i);
        job.request.node = fmt::format("node{:05}", i);
        job.state = remote::JobState::Judged;
        job.verdict = i % 25 == 0 ? triage::Verdict::Fail : triage::Verdict::Pass;
        job.cause = i % 25 == 0 ? "lost_collective" : "";
        job.recorded = 1'796'000'000 + i;
        jobs.push_back(std::move(job));
    }
    return ui::nodeChecks(jobs);
}

/// The real panel, in a window of its own.
struct Dashboard {
    test::TempFolder folder;
    QWidget window;
    ui::TaskRunner runner;
    ui::Palette palette{ui::ThemeMode::Light};
    ui::ClusterSession session{{runner,
                                {folder.path() / "jobs.sqlite", folder.path() / "runs"},
                                std::make_shared<ui::ConnectionQuestions>(window)}};
    ui::ClusterNodesPanel panel{session, palette};
    std::shared_ptr<const ui::NodeRows> now =
        std::make_shared<const ui::NodeRows>(ui::nodeRows(nodes(false)));
    std::shared_ptr<const ui::NodeRows> later =
        std::make_shared<const ui::NodeRows>(ui::nodeRows(nodes(true)));

    Dashboard() {
        panel.resize(420, 900);
        panel.show();
        panel.model().setChecks(checks());
        panel.model().setNodes(now);
        panel.findChild<QLineEdit*>(QStringLiteral("clusterNodeFilter"))->setText(QStringLiteral("x"));
        panel.findChild<QLineEdit*>(QStringLiteral("clusterNodeFilter"))->clear();
        QApplication::processEvents();
    }
    static std::unique_ptr<Dashboard> shown;
    static Dashboard& get() {
        if (!shown)
            shown = std::make_unique<Dashboard>();
        return *shown;
    }
};
std::unique_ptr<Dashboard> Dashboard::shown;

template <class Act>
double painted(Dashboard& dashboard, Act act) {
    const auto start = Clock::now();
    act();
    QApplication::processEvents();
    dashboard.panel.table().viewport()->repaint();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The slowest of all filters is what counts.
void filter(benchmark::State& state) {
    Dashboard& dashboard = Dashboard::get();
    auto* line = dashboard.panel.findChild<QLineEdit*>(QStringLiteral("clusterNodeFilter"));
    for (auto _ : state) {
        double slowest = 0;
        for (const char* text : filters())
            slowest =
                std::max(slowest, painted(dashboard, [&] { line->setText(QString::fromLatin1(text)); }));
        state.SetIterationTime(slowest);
    }
}

void scroll(benchmark::State& state) {
    Dashboard& dashboard = Dashboard::get();
    QScrollBar* bar = dashboard.panel.table().verticalScrollBar();
    for (auto _ : state) {
        double slowest = 0;
        for (int frame = 0; frame <= 200; ++frame)
            slowest =
                std::max(slowest, painted(dashboard, [&] { bar->setValue(bar->maximum() * frame / 200); }));
        state.SetIterationTime(slowest);
    }
}

void answer(benchmark::State& state) {
    Dashboard& dashboard = Dashboard::get();
    for (auto _ : state) {
        std::swap(dashboard.now, dashboard.later);
        state.SetIterationTime(painted(dashboard, [&] { dashboard.panel.model().setNodes(dashboard.now); }));
    }
}

void sorted(benchmark::State& state) {
    Dashboard& dashboard = Dashboard::get();
    for (auto _ : state) {
        double slowest = 0;
        for (int column = 0; column < ui::ClusterNodesModel::kColumns; ++column)
            slowest = std::max(slowest, painted(dashboard, [&] {
                                   dashboard.panel.table().sortByColumn(column, Qt::AscendingOrder);
                               }));
        state.SetIterationTime(slowest);
    }
}

void all(benchmark::State& state) {
    Dashboard& dashboard = Dashboard::get();
    for (auto _ : state)
        state.SetIterationTime(painted(dashboard, [&] { dashboard.panel.table().selectAll(); }));
    dashboard.panel.table().clearSelection();
}

/// In the thread of the connection, after the answer was read.
void rows(benchmark::State& state) {
    for (auto _ : state) {
        auto answered = nodes(false);
        const auto start = Clock::now();
        const auto made = ui::nodeRows(std::move(answered));
        state.SetIterationTime(std::chrono::duration<double>(Clock::now() - start).count());
        benchmark::DoNotOptimize(made);
    }
}

void registerAll() {
    const std::pair<const char*, void (*)(benchmark::State&)> all[] = {
        {"filter", filter}, {"scroll", scroll},  {"answer", answer},
        {"sorted", sorted}, {"all", bench::all}, {"rows", rows}};
    for (const auto& [name, run] : all)
        benchmark::RegisterBenchmark(name, run)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(3);
}

void printTable(const Measured& measured) {
    const auto row = [&](const char* name, const char* what, const char* budget) {
        if (measured.has(name))
            printRow(what, budget, fmt::format("{:.1f} ms", measured.wall(name)));
    };
    printRow(fmt::format("{} nodes in the dashboard", kNodes), "", "");
    row("filter", "  another filter, painted: the slowest", "<= 50 ms");
    row("scroll", "  scrolled, painted: the slowest frame", "<= 16 ms");
    row("answer", "  a new answer of the cluster, painted", "<= 50 ms");
    row("sorted", "  another order, painted: the slowest", "<= 50 ms");
    row("all", "  all selected, painted", "<= 50 ms");
    row("rows", "  rows made, beside the UI thread", "<= 100 ms");
}

} // namespace
} // namespace ddp::bench

int main(int argc, char** argv) {
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    const QApplication app(argc, argv);
    try {
        const int status =
            ddp::bench::runBenchmarks(argc, argv, ddp::bench::registerAll, ddp::bench::printTable);
        ddp::bench::Dashboard::shown.reset(); // before the application
        return status;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "nodes_bench: %s\n", error.what());
        return 1;
    }
}
