// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/pull/pull.h"
#include "tests/remote/transport/ssh/ssh_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <thread>

namespace ddp::test {

/// So that a small disk of a test goes away with the test, whatever happens to it.
inline bool haveOwnMounts() {
    return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

inline std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string bytes(std::size_t size) {
    std::string made(size, '\0');
    std::independent_bits_engine<std::mt19937_64, 64, std::uint64_t> random(size);
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
        const std::uint64_t word = random();
        std::memcpy(made.data() + i, &word, 8);
    }
    return made;
}

class Pull : public ::testing::Test {
protected:
    Pull() = default;
    explicit Pull(const SshServer::Setup& setup) : m_server(setup) {}

    void SetUp() override {
        m_server.trust();
        connect();
    }
    void connect() {
        remote::NoQuestions nobody;
        auto transport = remote::connectSsh(m_server.options(), nobody, {});
        ASSERT_TRUE(transport) << transport.error().message;
        m_transport = std::move(*transport);
    }
    Result<remote::PullReport> pull(std::stop_token stop = {}) {
        m_progress.done = 0;
        return remote::pullFolder(*m_transport, m_far.path() / "run", m_to, m_options, std::move(stop),
                                  m_progress);
    }
    std::filesystem::path far(const std::string& name, const std::string& text) {
        return m_far.write("run/" + name, text);
    }
    void manySmall(int count) {
        for (int i = 0; i < count; ++i)
            far(fmt::format("d{}/f{}", i % 7, i), fmt::format("file {}\n", i));
    }
    bool same() const {
        const auto diff = remote::makeLocalTransport()->run(
            command(fmt::format("diff -r {}/run {}", m_far.path().string(), m_to.string())), {});
        return diff && diff->exitCode == 0;
    }
    /// Once so many bytes came.
    std::jthread after(std::uint64_t done, std::function<void()> act) {
        return std::jthread([this, done, act = std::move(act)](const std::stop_token& over) {
            while (m_progress.done < done && !over.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (!over.stop_requested())
                act();
        });
    }

    bool m_ownMounts = haveOwnMounts(); // before the server, which shall see them
    SshServer m_server;
    std::unique_ptr<remote::Transport> m_transport;
    TempFolder m_far;
    TempFolder m_near;
    std::filesystem::path m_to = m_near.path() / "to";
    remote::PullOptions m_options;
    Progress m_progress;
};

inline SshServer::Setup withoutArchives(const std::filesystem::path& programs) {
    for (const char* name : {"sh", "dd", "env", "sed", "cat", "rm", "mkdir"})
        shellOutput(fmt::format("ln -s \"$(command -v {0})\" {1}/{0}", name, programs.string()));
    SshServer::Setup setup;
    setup.extra = "SetEnv PATH=" + programs.string();
    return setup;
}

class PullWithoutTar : public Pull {
protected:
    PullWithoutTar() : PullWithoutTar(std::make_unique<TempFolder>()) {}
    explicit PullWithoutTar(std::unique_ptr<TempFolder> programs)
        : Pull(withoutArchives(programs->path())), m_programs(std::move(programs)) {}
    std::unique_ptr<TempFolder> m_programs;
};

} // namespace ddp::test
