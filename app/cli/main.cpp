// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace {

int answerLost() {
    std::fprintf(stderr,
                 "ddpscope-cli: the answer could not be written to standard output; is its disk full?\n");
    return 73; // EX_CANTCREAT
}

} // namespace

int main(int argc, char** argv) {
    constexpr int kUsage = 64; // EX_USAGE

    ddp::cli::Outcome outcome;

    // Ctrl+C and SIGTERM are taken by a thread of their own, so that a verb can stop in order; a second one
    // ends the program at once.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([&outcome, signals] {
        for (bool first = true;; first = false) {
            int number = 0;
            sigwait(&signals, &number);
            if (!first)
                _exit(128 + number);
            outcome.stop.request_stop();
        }
    }).detach();

    CLI::App app{"ddpscope-cli: node triage and communication overlap for distributed PyTorch"};
    app.set_version_flag("--version", "ddpscope-cli " DDP_VERSION);
    app.require_subcommand(1);
    ddp::cli::addInfo(app, outcome);
    ddp::cli::addProfile(app, outcome);
    ddp::cli::addOverlap(app, outcome);
    ddp::cli::addSteps(app, outcome);
    ddp::cli::addCollectives(app, outcome);
    ddp::cli::addFindings(app, outcome);
    ddp::cli::addCompare(app, outcome);
    ddp::cli::addScaling(app, outcome);
    ddp::cli::addConvert(app, outcome);
    ddp::cli::addTriage(app, outcome);
    ddp::cli::addSubmit(app, outcome);
    ddp::cli::addJobs(app, outcome);
    ddp::cli::addWatch(app, outcome);
    ddp::cli::addPull(app, outcome);
    ddp::cli::addCancel(app, outcome);
    ddp::cli::addCluster(app, outcome);
    ddp::cli::addNodes(app, outcome);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) { // --help, --version
        return app.exit(wanted);
    } catch (const CLI::ParseError& error) {
        std::fprintf(stderr, "ddpscope-cli: %s (see ddpscope-cli --help)\n", error.what());
        return kUsage;
    } catch (const std::system_error&) { // what fmt::print throws
        return answerLost();
    }
    return std::fflush(stdout) == 0 ? outcome.exitCode : answerLost();
}
