// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/system_ssh/ask_pass.h"

#include "remote/transport/local/atomic_file.h"
#include "remote/transport/printable.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ddp::remote {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// "none": ssh only tells the user to touch a key, and ends the script when he did.
constexpr std::string_view kScript = "#!/bin/sh\n"
                                     "[ \"$SSH_ASKPASS_PROMPT\" = none ] && exec sleep 600\n"
                                     "cd -- \"${0%/*}\" || exit 1\n"
                                     "printf '%s\\000' \"$1\" >question || exit 1\n"
                                     "IFS= read -r answer <answer || exit 1\n"
                                     "printf '%s\\n' \"$answer\"\n";

bool isHostKeyText(const std::string& text) {
    return text.find("(yes/no") != std::string::npos && text.find("fingerprint") != std::string::npos;
}

} // namespace

Result<AskPass> AskPass::create(const fs::path& folder) {
    auto script = AtomicFile::create(folder / "ask", true);
    if (!script)
        return forward(script);
    if (auto wrote = script->append(kScript.data(), kScript.size()); !wrote)
        return forward(wrote);
    if (auto done = script->commit(); !done)
        return forward(done);
    for (const char* name : {"question", "answer"})
        if (::mkfifo((folder / name).c_str(), 0600) != 0)
            return unwritable(folder / name, std::strerror(errno));
    const int question = ::open((folder / "question").c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (question < 0)
        return unwritable(folder / "question", std::strerror(errno));
    return AskPass(folder, question);
}

AskPass::~AskPass() {
    if (m_question >= 0)
        ::close(m_question);
}

AskPass::AskPass(AskPass&& other) noexcept
    : m_folder(std::move(other.m_folder)), m_question(std::exchange(other.m_question, -1)) {}

std::vector<std::string> AskPass::environment() const {
    // DISPLAY: before OpenSSH 8.4 the script is used with one only.
    return {"SSH_ASKPASS=" + (m_folder / "ask").string(), "SSH_ASKPASS_REQUIRE=force", "DISPLAY=:ddpscope"};
}

bool AskPass::serve(const std::string& host, Questions& questions, const std::stop_token& stop,
                    const std::function<bool()>& done) {
    while (!done()) {
        if (stop.stop_requested())
            return false;
        pollfd wait{m_question, POLLIN, 0};
        if (::poll(&wait, 1, 20) <= 0)
            continue;
        std::array<char, 4096> piece;
        const ssize_t got = ::read(m_question, piece.data(), piece.size());
        if (got > 0)
            m_received.append(piece.data(), static_cast<std::size_t>(got));
        if (const auto end = m_received.find('\0'); end != std::string::npos) {
            const std::string text = m_received.substr(0, end);
            m_received.erase(0, end + 1);
            if (!handle(host, text, questions, stop))
                return false;
        }
    }
    return true;
}

bool AskPass::handle(const std::string& host, const std::string& text, Questions& questions,
                     const std::stop_token& stop) {
    if (isHostKeyText(text)) {
        const HostKeyQuestion question = parseHostKeyText(host, text);
        if (questions.acceptHostKey(question, stop))
            return give(Secret(std::string("yes")), stop);
        m_declinedKey = question.fingerprint;
        return false;
    }
    PromptRound round;
    round.host = host;
    round.prompts = {{printable(text), true}};
    if (text.find("assphrase for") != std::string::npos)
        round.kind = PromptRound::Kind::PassPhrase;
    else
        round.kind =
            text.ends_with("'s password: ") ? PromptRound::Kind::Password : PromptRound::Kind::Interactive;
    const auto answers = questions.answer(round, stop);
    return answers && answers->size() == 1 && give(answers->front(), stop);
}

/// The script opens its side when it has asked.
bool AskPass::give(const Secret& answer, const std::stop_token& stop) const {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < until && !stop.stop_requested()) {
        const int pipe = ::open((m_folder / "answer").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (pipe < 0) {
            std::this_thread::sleep_for(5ms);
            continue;
        }
        // Less than a pipe takes at once.
        const bool wrote =
            ::write(pipe, answer.text(), answer.size()) == static_cast<ssize_t>(answer.size()) &&
            ::write(pipe, "\n", 1) == 1;
        ::close(pipe);
        return wrote;
    }
    return false;
}

HostKeyQuestion parseHostKeyText(const std::string& host, const std::string& text) {
    HostKeyQuestion question;
    question.host = host;
    const auto open = text.find('\'');
    const auto close = open == std::string::npos ? open : text.find('\'', open + 1);
    if (close != std::string::npos)
        question.address = printable(std::string_view(text).substr(open + 1, close - open - 1));
    constexpr std::string_view kIs = " key fingerprint is ";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (const auto at = line.find(kIs); at != std::string::npos) {
            question.keyType = printable(line.substr(0, at));
            question.fingerprint = printable(line.substr(at + kIs.size()));
            if (question.fingerprint.ends_with('.'))
                question.fingerprint.pop_back();
        } else if (line.starts_with('+') || line.starts_with('|')) {
            question.picture += printable(line) + "\n";
        }
    }
    return question;
}

} // namespace ddp::remote
