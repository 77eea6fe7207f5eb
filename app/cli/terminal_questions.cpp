// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_questions.h"

#include "remote/cluster/connect.h"
#include "remote/transport/printable.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <termios.h>
#include <unistd.h>

namespace ddp::cli {

namespace {

constexpr std::size_t kLongestAnswer = 4096;

class Terminal {
public:
    Terminal() : m_fd(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {}
    ~Terminal() {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    bool open() const { return m_fd >= 0; }

    void print(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t wrote = ::write(m_fd, text.data(), text.size());
            if (wrote < 0 && errno == EINTR)
                continue;
            if (wrote <= 0)
                return;
            text.remove_prefix(static_cast<std::size_t>(wrote));
        }
    }

    /// A line; nothing at its end, on the stop, and where it is too long. `into` is never copied about.
    bool ask(const std::string& prompt, std::string& into, bool echo, const std::stop_token& stop) const {
        into.reserve(kLongestAnswer);
        const Echo asGiven(m_fd, echo); // before the prompt: who reads it may type at once
        print(prompt);
        for (;;) {
            pollfd wait{m_fd, POLLIN, 0};
            const int ready = ::poll(&wait, 1, 100);
            if (stop.stop_requested())
                return false;
            if (ready <= 0)
                continue;
            char c = 0;
            const ssize_t got = ::read(m_fd, &c, 1);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0 || into.size() == kLongestAnswer)
                return false;
            if (c == '\n')
                return true;
            into += c;
        }
    }

private:
    /// The terminal is as it was when this ends.
    class Echo {
    public:
        Echo(int fd, bool on) : m_fd(fd) {
            if (on || ::tcgetattr(fd, &m_before) != 0)
                return;
            termios silent = m_before;
            silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
            silent.c_lflag |= ECHONL;
            m_changed = ::tcsetattr(fd, TCSAFLUSH, &silent) == 0;
        }
        ~Echo() {
            if (m_changed)
                ::tcsetattr(m_fd, TCSADRAIN, &m_before);
        }
        Echo(const Echo&) = delete;
        Echo& operator=(const Echo&) = delete;

    private:
        int m_fd;
        termios m_before{};
        bool m_changed = false;
    };

    int m_fd;
};

class TerminalQuestions final : public remote::Questions {
public:
    std::optional<std::vector<remote::Secret>> answer(const remote::PromptRound& round,
                                                      std::stop_token stop) override {
        const Terminal terminal;
        if (!terminal.open())
            return std::nullopt;
        using Kind = remote::PromptRound::Kind;
        // The words of a server could pretend to be somebody else's: say first whose they are.
        if (round.kind == Kind::Interactive)
            terminal.print(fmt::format("{} asks {}:\n", shown(round.host), shown(round.user)));
        for (const std::string* text : {&round.title, &round.instruction})
            if (!text->empty())
                terminal.print("  " + shown(*text) + "\n");
        std::vector<remote::Secret> answers;
        for (const remote::Prompt& prompt : round.prompts) {
            std::string line;
            const bool read = terminal.ask(asked(shown(prompt.text)), line, !prompt.secret, stop);
            answers.emplace_back(std::move(line)); // wiped also when it is not used
            if (!read)
                return std::nullopt;
        }
        return answers;
    }

    bool acceptHostKey(const remote::HostKeyQuestion& question, std::stop_token stop) override {
        const Terminal terminal;
        if (!terminal.open())
            return false;
        terminal.print(
            fmt::format("The machine {} ({}) is not known yet. Its {} key has the fingerprint\n{}\n{}",
                        shown(question.host), shown(question.address), question.keyType, question.fingerprint,
                        question.picture));
        for (;;) {
            std::string line;
            if (!terminal.ask("Compare it with what its administrators publish. Connect, and remember it "
                              "(yes/no/the fingerprint)? ",
                              line, true, stop) ||
                line == "no" || line.empty())
                return false;
            if (line == "yes" || line == question.fingerprint)
                return true;
        }
    }

private:
    static std::string asked(const std::string& text) {
        if (text.ends_with(' '))
            return text;
        return text + (text.ends_with(':') || text.ends_with('?') ? " " : ": ");
    }
    static std::string shown(const std::string& text) { return remote::printable(text, 2000); }
};

} // namespace

std::unique_ptr<remote::Questions> makeQuestions(bool batch) {
    if (batch || !Terminal().open())
        return std::make_unique<remote::NoQuestions>();
    return std::make_unique<TerminalQuestions>();
}

Error asUnreachable(Error error, const std::stop_token& stop) {
    if (error.code == ErrorCode::Cancelled && !stop.stop_requested())
        error.code = ErrorCode::Unreachable;
    return error;
}

Result<std::unique_ptr<remote::Transport>> connectTo(const remote::Cluster& cluster, bool batch,
                                                     std::stop_token stop) {
    const auto questions = makeQuestions(batch);
    auto transport = remote::connectCluster(cluster, *questions, stop);
    if (!transport)
        return tl::unexpected<Error>(asUnreachable(std::move(transport.error()), stop));
    return transport;
}

} // namespace ddp::cli
