// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/worker/worker_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern "C" char** environ;

namespace ddp::test {

namespace {

constexpr useconds_t kTick = 5'000;

bool isOurs(const std::string& variable) {
    for (const char* prefix : {"RANK=", "WORLD_SIZE=", "LOCAL_", "MASTER_", "SLURM_", "TORCHELASTIC_",
                               "SIMULATE_BUG=", "CUDA_", "DDPSCOPE_"}) {
        if (variable.rfind(prefix, 0) == 0)
            return true;
    }
    return false;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (auto& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

} // namespace

double nowSeconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

WorkerProcess::WorkerProcess(std::vector<std::string> arguments, const Variables& variables,
                             unsigned long largestFile) {
    arguments.insert(arguments.begin(), DDP_BIN_DIR "/ddpscope-worker");
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (!isOurs(*entry)) // this very test may run inside of a Slurm job
            environment.emplace_back(*entry);
    }
    for (const auto& [name, value] : variables)
        environment.push_back(name + "=" + value);
    auto argumentPointers = pointers(arguments);
    auto environmentPointers = pointers(environment);
    const std::string out = m_folder.path() / "out";
    const std::string err = m_folder.path() / "err";
    m_begin = nowSeconds();
    m_pid = ::fork();
    if (m_pid == 0) {
        ::setpgid(0, 0);
        if (largestFile > 0) {
            const rlimit limit{largestFile, largestFile};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDOUT_FILENO);
        ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDERR_FILENO);
        ::execve(argumentPointers[0], argumentPointers.data(), environmentPointers.data());
        ::_exit(126);
    }
    ::setpgid(m_pid, m_pid);
}

WorkerProcess::~WorkerProcess() {
    ::kill(-m_pid, SIGKILL);
    if (!m_reaped)
        ::waitpid(m_pid, nullptr, 0);
}

std::string WorkerProcess::out() const {
    return readFile(m_folder.path() / "out");
}

bool WorkerProcess::waitForOutput(const std::string& text, double seconds) const {
    for (const double end = nowSeconds() + seconds; nowSeconds() < end; ::usleep(kTick)) {
        if (out().find(text) != std::string::npos)
            return true;
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid != 0)
            return out().find(text) != std::string::npos;
    }
    return false;
}

Finished WorkerProcess::finish(double seconds) {
    Finished result;
    int status = 0;
    for (const double end = nowSeconds() + seconds; !m_reaped && nowSeconds() < end; ::usleep(kTick))
        m_reaped = ::waitpid(m_pid, &status, WNOHANG) == m_pid;
    result.seconds = nowSeconds() - m_begin;
    if (m_reaped)
        result.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    else
        ADD_FAILURE() << "the worker did not end within " << seconds << " s";
    result.out = out();
    result.err = readFile(m_folder.path() / "err");
    return result;
}

std::vector<pid_t> WorkerProcess::alive() const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        if (pid <= 0)
            continue;
        const std::string stat = readFile(entry.path() / "stat");
        const auto afterName = stat.rfind(')');
        char state = 0;
        int parent = 0;
        int group = 0;
        if (afterName != std::string::npos &&
            std::sscanf(stat.c_str() + afterName + 1, " %c %d %d", &state, &parent, &group) == 3 &&
            group == m_pid && state != 'Z' && state != 'X')
            found.push_back(pid);
    }
    return found;
}

bool WorkerProcess::allGoneWithin(double seconds) const {
    for (const double end = nowSeconds() + seconds; nowSeconds() < end; ::usleep(kTick)) {
        if (alive().empty())
            return true;
    }
    return alive().empty();
}

Finished runWorker(std::vector<std::string> arguments, const WorkerProcess::Variables& variables,
                   unsigned long largestFile) {
    return WorkerProcess(std::move(arguments), variables, largestFile).finish();
}

std::string readFile(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<nlohmann::json> readRecordLines(const std::filesystem::path& file) {
    std::vector<nlohmann::json> records;
    const std::string text = readFile(file);
    EXPECT_FALSE(text.empty()) << file;
    EXPECT_TRUE(text.empty() || text.back() == '\n') << file;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        auto record = nlohmann::json::parse(line, nullptr, false);
        EXPECT_TRUE(record.is_object()) << file << ": " << line;
        if (record.is_object())
            records.push_back(std::move(record));
    }
    return records;
}

std::vector<nlohmann::json> recordsOf(const std::filesystem::path& run, int rank, const std::string& kind) {
    std::vector<nlohmann::json> found;
    for (auto& record : readRecordLines(run / ("rank-" + std::to_string(rank)) / "records.jsonl")) {
        EXPECT_EQ(record["schema"], 1);
        EXPECT_EQ(record["rank"], rank);
        if (record["kind"] == kind)
            found.push_back(std::move(record));
    }
    return found;
}

int countOf(const std::string& text, const std::string& part) {
    int count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

} // namespace ddp::test
