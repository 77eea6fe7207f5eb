// SPDX-License-Identifier: GPL-3.0-or-later
// A pull beside scp on loopback, and beside an SFTP with one request at a time on a long line; every side
// connects anew, by the same cipher. Everything lies in memory, so that no disk is measured.
#include "remote/pull/pull.h"
#include "tests/bench/bench_table.h"
#include "tests/bench/delay_proxy.h"
#include "tests/remote/transport/ssh/ssh_server.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <random>

namespace {

namespace fs = std::filesystem;
using namespace ddp;
using namespace std::chrono_literals;

constexpr auto kOneWay = 25ms;

std::size_t megabytes() {
    const char* const set = std::getenv("DDP_BENCH_PULL_MB");
    return set ? std::strtoul(set, nullptr, 10) : 256;
}

void writeRandom(const fs::path& file, std::size_t size) {
    std::mt19937_64 random(size);
    std::vector<std::uint64_t> words(size / 8);
    for (auto& word : words)
        word = random();
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(size));
}

struct Set {
    const char* name;
    std::size_t files;
    std::size_t bytes; ///< of each
    bool longLine;
};

std::vector<Set> sets() {
    const std::size_t mb = megabytes();
    return {{"large", 1, mb << 20, false},
            {"small", mb * 8, 4096, false},
            {"large_50ms", 1, std::min<std::size_t>(mb, 8) << 20, true},
            {"small_50ms", std::min<std::size_t>(mb, 40), 4096, true}};
}

class Far {
public:
    Far() : m_proxy(m_server.port(), kOneWay) {
        m_server.trust();
        for (const Set& set : sets())
            for (std::size_t i = 0; i < set.files; ++i)
                writeRandom(m_files.path() / set.name / fmt::format("d{}", i % 16) / fmt::format("f{}", i),
                            set.bytes);
        std::string key = shell(fmt::format("cat {}", m_server.knownHosts().string()));
        key.replace(0, key.find(' '), fmt::format("[127.0.0.1]:{}", m_proxy.port()));
        std::ofstream(m_server.knownHosts(), std::ios::app) << key;
        // The first value of a keyword counts.
        const std::string usual = m_server.hostBlock("box", "  Ciphers chacha20-poly1305@openssh.com\n");
        std::string delayed =
            m_server.hostBlock("slow", fmt::format("  Ciphers chacha20-poly1305@openssh.com\n"));
        const std::string port = fmt::format("Port {}", m_server.port());
        delayed.replace(delayed.find(port), port.size(), fmt::format("Port {}", m_proxy.port()));
        m_options = m_server.options(usual + delayed);
    }

    static std::string shell(const std::string& line) { return test::shellOutput(line); }
    const remote::SshOptions& options() const { return m_options; }
    fs::path folder(const Set& set) const { return m_files.path() / set.name; }

private:
    test::SshServer m_server;
    bench::DelayProxy m_proxy;
    test::TempFolder m_files;
    remote::SshOptions m_options;
};

Far& far() {
    static Far one;
    return one;
}

const char* hostOf(const Set& set) {
    return set.longLine ? "slow" : "box";
}

/// OpenSSH's own programs.
void runTool(const Set& set, const fs::path& to) {
    remote::Command command;
    const std::string config = far().options().configFile.string();
    const std::string from = fmt::format("{}:{}", hostOf(set), far().folder(set).string());
    command.shell = set.longLine ? fmt::format("sftp -q -r -R 1 -B 32768 -F {} {} {} >/dev/null", config,
                                               from, to.string())
                                 : fmt::format("scp -q -r -F {} {} {}", config, from, to.string());
    command.deadline = 10min;
    const auto result = remote::makeLocalTransport()->run(command, {});
    if (!result || result->exitCode != 0)
        throw std::runtime_error(result ? result->err : result.error().message);
}

void runPull(const Set& set, const fs::path& to) {
    remote::SshOptions options = far().options();
    options.host = hostOf(set);
    remote::NoQuestions nobody;
    auto transport = remote::connectSsh(options, nobody, {});
    if (!transport)
        throw std::runtime_error(transport.error().message);
    Progress progress;
    const auto report = remote::pullFolder(**transport, far().folder(set), to / set.name, {}, {}, progress);
    if (!report || report->files != set.files)
        throw std::runtime_error(report ? "files are missing" : report.error().message);
}

void measure(benchmark::State& state, const Set& set, void (*run)(const Set&, const fs::path&)) {
    far();
    for (auto _ : state) {
        state.PauseTiming();
        auto to = std::make_unique<test::TempFolder>();
        state.ResumeTiming();
        try {
            run(set, to->path());
        } catch (const std::exception& error) {
            state.SkipWithError(error.what());
            return;
        }
        state.PauseTiming();
        to.reset();
        state.ResumeTiming();
    }
}

void registerAll() {
    if (fs::is_directory("/dev/shm"))
        ::setenv("TMPDIR", "/dev/shm", 1);
    for (const Set& set : sets())
        for (const auto& [name, run] : {std::pair("tool", &runTool), std::pair("pull", &runPull)}) {
            auto* const one = benchmark::RegisterBenchmark(
                fmt::format("{}_{}", name, set.name).c_str(),
                [set, run = run](benchmark::State& state) { measure(state, set, run); });
            one->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
            if (set.longLine)
                one->Repetitions(1); // the waiting does not vary
        }
}

void printTable(const bench::Measured& measured) {
    for (const Set& set : sets()) {
        const std::string tool = fmt::format("tool_{}", set.name);
        const std::string pull = fmt::format("pull_{}", set.name);
        if (!measured.has(tool) || !measured.has(pull))
            continue;
        bench::printRow(fmt::format("pull of {} x {} bytes beside {}", set.files, set.bytes,
                                    set.longLine ? "sftp -R 1, 50 ms" : "scp"),
                        set.longLine ? ">= 3 x" : ">= 0.9 x",
                        fmt::format("{:.2f} x ({:.0f} ms, {:.0f} ms)",
                                    measured.wall(tool) / measured.wall(pull), measured.wall(pull),
                                    measured.wall(tool)));
    }
}

} // namespace

int main(int argc, char** argv) {
    return ddp::bench::runBenchmarks(argc, argv, registerAll, printTable);
}
