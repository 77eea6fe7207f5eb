// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the nodes of a large cluster, in both forms that Slurm answers in.
#include "remote/slurm/nodes.h"
#include "tests/bench/bench_table.h"

#include <fmt/format.h>

#include <cstdlib>

namespace {

constexpr std::size_t kNodes = 10000;

std::string nodesAsText() {
    std::string text;
    for (std::size_t i = 0; i < kNodes; ++i) {
        const bool drained = i % 7 == 0;
        text += fmt::format("NodeName=node{0:05} Arch=x86_64 CoresPerSocket=32 \n   CPUAlloc=64 CPUEfctv=128 "
                            "CPUTot=128 CPULoad=63.64\n"
                            "   AvailableFeatures=a100,ib,rack{1}\n   ActiveFeatures=a100,ib,rack{1}\n   "
                            "Gres=gpu:a100:8(S:0-1)\n"
                            "   GresDrain=N/A\n   GresUsed=gpu:a100:4(IDX:0-3)\n"
                            "   NodeAddr=node{0:05} NodeHostName=node{0:05} Port=6818 Version=22.05.8\n"
                            "   OS=Linux 5.14.0-362.el9.x86_64 #1 SMP PREEMPT_DYNAMIC Thu Oct 5 2023 \n"
                            "   RealMemory=1030000 AllocMem=515000 FreeMem=410833 Sockets=2 Boards=1\n"
                            "   State=MIXED{2} ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n "
                            "  Partitions=gpu,long \n"
                            "   BootTime=2026-11-30T07:27:25 SlurmdStartTime=2026-11-30T12:12:34\n   "
                            "LastBusyTime=2026-11-30T12:12:34\n"
                            "   CfgTRES=cpu=128,mem=1030000M,billing=128,gres/gpu=8\n   "
                            "AllocTRES=cpu=64,mem=515000M,gres/gpu=4\n"
                            "   CapWatts=n/a\n   CurrentWatts=0 AveWatts=0\n"
                            "   ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s\n{3}\n",
                            i, i / 32, drained ? "+DRAIN" : "",
                            drained ? "   Reason=Kill task failed [root@2026-11-30T12:12:53]\n" : "");
    }
    return text;
}

std::string number(const char* name, long value) {
    return fmt::format("\"{}\": {{\"set\": true, \"infinite\": false, \"number\": {}}}, ", name, value);
}

/// As a recent release writes it, with the fields that are not read.
std::string nodesAsJson() {
    std::string text = "{\n  \"nodes\": [\n";
    for (std::size_t i = 0; i < kNodes; ++i) {
        const bool drained = i % 7 == 0;
        text += fmt::format(
            "{0}    {{\"architecture\": \"x86_64\", \"burstbuffer_network_address\": \"\", \"boards\": 1, {1}"
            "\"cluster_name\": \"\", \"cores\": 32, \"specialized_cores\": 0, \"cpu_binding\": 0, "
            "\"cpu_load\": 6364, {2}"
            "\"cpus\": 128, \"effective_cpus\": 128, \"specialized_cpus\": \"\", \"energy\": "
            "{{\"average_watts\": 0, "
            "\"base_consumed_energy\": 0, \"consumed_energy\": 0, \"previous_consumed_energy\": 0, "
            "\"last_collected\": 0}}, "
            "\"external_sensors\": {{}}, \"extra\": \"\", \"power\": {{}}, \"features\": [\"a100\", \"ib\", "
            "\"rack{3}\"], "
            "\"active_features\": [\"a100\", \"ib\", \"rack{3}\"], \"gpu_spec\": \"\", \"gres\": "
            "\"gpu:a100:8(S:0-1)\", "
            "\"gres_drained\": \"N\\/A\", \"gres_used\": \"gpu:a100:4(IDX:0-3)\", \"instance_id\": \"\", "
            "\"instance_type\": \"\", {4}\"mcs_label\": \"\", \"specialized_memory\": 0, \"name\": "
            "\"node{5:05}\", "
            "\"next_state_after_reboot\": [\"INVALID\"], \"address\": \"node{5:05}\", \"hostname\": "
            "\"node{5:05}\", "
            "\"state\": [\"MIXED\"{6}], \"operating_system\": \"Linux 5.14.0-362.el9.x86_64 #1 SMP "
            "PREEMPT_DYNAMIC\", "
            "\"owner\": \"\", \"partitions\": [\"gpu\", \"long\"], \"port\": 6818, \"real_memory\": 1030000, "
            "\"res_cores_per_gpu\": 0, \"comment\": \"\", \"reason\": \"{7}\", {8}\"reason_set_by_user\": "
            "\"root\", {9}"
            "\"reservation\": \"\", \"alloc_memory\": 515000, \"alloc_cpus\": 64, \"alloc_idle_cpus\": 64, "
            "\"tres_used\": \"cpu=64,mem=515000M,gres\\/gpu=4\", \"tres_weighted\": 64.0, {10}\"sockets\": "
            "2, "
            "\"threads\": 2, \"temporary_disk\": 0, \"weight\": 1, "
            "\"tres\": \"cpu=128,mem=1030000M,billing=128,gres\\/gpu=8\", \"version\": \"24.11.1\"}}",
            i ? ",\n" : "", number("boot_time", 1796023645), number("free_mem", 410833), i / 32,
            number("last_busy", 1796040754), i, drained ? ", \"DRAIN\"" : "",
            drained ? "Kill task failed" : "", number("reason_changed_at", 1796040773),
            number("resume_after", 0), number("slurmd_start_time", 1796040754));
    }
    return text + "\n  ],\n  \"errors\": [],\n  \"warnings\": []\n}\n";
}

using Parse = ddp::Result<std::vector<ddp::remote::slurm::Node>> (*)(std::string_view);

void measure(benchmark::State& state, const std::string& answer, Parse parse) {
    for (auto _ : state) {
        const auto nodes = parse(answer);
        if (!nodes || nodes->size() != kNodes) {
            state.SkipWithError("the answer was not read");
            return;
        }
        benchmark::DoNotOptimize(nodes);
    }
    state.counters["MB"] = static_cast<double>(answer.size()) / 1e6;
}

void registerAll() {
    for (const auto& [name, json] : {std::pair("nodes_text", false), std::pair("nodes_json", true)})
        benchmark::RegisterBenchmark(name, [json = json](benchmark::State& state) {
            measure(state, json ? nodesAsJson() : nodesAsText(),
                    json ? ddp::remote::slurm::parseNodesJson : ddp::remote::slurm::parseNodesText);
        })->Unit(benchmark::kMillisecond);
}

void printTable(const ddp::bench::Measured& measured) {
    for (const char* name : {"nodes_text", "nodes_json"})
        if (measured.has(name))
            ddp::bench::printRow(
                fmt::format("{} nodes, {} of {:.0f} MB", kNodes, name, measured.counter(name, "MB")),
                "200 ms", fmt::format("{:.1f} ms", measured.wall(name)));
}

} // namespace

int main(int argc, char** argv) {
    return ddp::bench::runBenchmarks(argc, argv, registerAll, printTable);
}
