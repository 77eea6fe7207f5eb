// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_login.h"

#include "remote/transport/printable.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>
#include <libssh/callbacks.h>

#include <algorithm>
#include <array>

namespace ddp::remote {

namespace {

constexpr int kTries = 3;

class Login {
public:
    Login(SshSession& session, Questions& questions, std::stop_token stop)
        : m_session(session), m_handle(session.handle()), m_questions(questions), m_stop(stop),
          m_watch(session.watch(session.options().connectLimit, stop)) {
        m_callbacks.userdata = this;
        m_callbacks.auth_function = [](const char*, char* buffer, std::size_t size, int, int, void* self) {
            return static_cast<Login*>(self)->passPhrase(buffer, size);
        };
        ssh_callbacks_init(&m_callbacks);
        ssh_set_callbacks(m_handle, &m_callbacks);
    }
    ~Login() {
        // libssh keeps the pointer: what it points to must outlive the session or do nothing.
        static ssh_callbacks_struct nothing = [] {
            ssh_callbacks_struct callbacks{};
            ssh_callbacks_init(&callbacks);
            return callbacks;
        }();
        ssh_set_callbacks(m_handle, &nothing);
    }
    Login(const Login&) = delete;
    Login& operator=(const Login&) = delete;

    Result<void> run() {
        int outcome = ssh_userauth_none(m_handle, nullptr);
        unsigned tried = 0;
        while (outcome != SSH_AUTH_SUCCESS) {
            m_watch.extend();
            if (m_declined || m_stop.stop_requested())
                return fail(ErrorCode::Cancelled,
                            fmt::format("The login to {} was given up: {}.", m_session.host(),
                                        m_declined ? "a question was not answered" : "it was stopped"));
            if (!m_session.connected())
                return m_session.failure(fmt::format("{} logged in", m_session.target().user), m_watch.cut());
            const unsigned method = next(tried);
            if (method == 0)
                return refused(tried);
            tried |= method;
            outcome = attempt(method);
            if (outcome == SSH_AUTH_PARTIAL)
                tried = 0; // it wants another one now, maybe of the same kind
        }
        return {};
    }

private:
    /// The next way that the server offers; 0: none is left.
    unsigned next(unsigned tried) const {
        const auto offered = static_cast<unsigned>(ssh_userauth_list(m_handle, nullptr));
        for (const unsigned method :
             {SSH_AUTH_METHOD_PUBLICKEY, SSH_AUTH_METHOD_INTERACTIVE, SSH_AUTH_METHOD_PASSWORD})
            if ((offered & method & ~tried) != 0)
                return method;
        return 0;
    }

    int attempt(unsigned method) {
        int outcome = SSH_AUTH_DENIED;
        for (int i = 0; i < kTries; ++i) {
            m_asked = false;
            outcome = method == SSH_AUTH_METHOD_PUBLICKEY     ? publicKeys()
                      : method == SSH_AUTH_METHOD_INTERACTIVE ? interactive()
                                                              : password();
            // Without an answer of the user a second try would be the same as the first.
            if (outcome != SSH_AUTH_DENIED || !m_asked || m_declined || !m_session.connected())
                break;
        }
        return outcome;
    }

    int publicKeys() { return ssh_userauth_publickey_auto(m_handle, nullptr, nullptr); }

    int passPhrase(char* buffer, std::size_t size) {
        std::string file = "a key";
        char* identity = nullptr;
        if (ssh_userauth_publickey_auto_get_current_identity(m_handle, &identity) == SSH_OK) {
            file = identity;
            ssh_string_free_char(identity);
        }
        PromptRound round = newRound(PromptRound::Kind::PassPhrase);
        round.prompts.push_back({fmt::format("Pass phrase of {}", file), true});
        const auto answers = ask(round);
        if (!answers || answers->front().size() >= size)
            return -1;
        std::copy_n(answers->front().text(), answers->front().size() + 1, buffer);
        return 0;
    }

    int password() {
        PromptRound round = newRound(PromptRound::Kind::Password);
        round.prompts.push_back(
            {fmt::format("Password of {} on {}", m_session.target().user, m_session.host()), true});
        const auto answers = ask(round);
        return answers ? ssh_userauth_password(m_handle, nullptr, answers->front().text()) : SSH_AUTH_DENIED;
    }

    int interactive() {
        int outcome = ssh_userauth_kbdint(m_handle, nullptr, nullptr);
        while (outcome == SSH_AUTH_INFO) {
            const auto count = static_cast<unsigned>(std::max(0, ssh_userauth_kbdint_getnprompts(m_handle)));
            PromptRound round = newRound(PromptRound::Kind::Interactive);
            round.title = text(ssh_userauth_kbdint_getname(m_handle));
            round.instruction = text(ssh_userauth_kbdint_getinstruction(m_handle));
            for (unsigned i = 0; i < count; ++i) {
                char echo = 0;
                const char* prompt = ssh_userauth_kbdint_getprompt(m_handle, i, &echo);
                round.prompts.push_back({text(prompt), echo == 0});
            }
            if (count > 0) {
                const auto answers = ask(round);
                if (!answers)
                    return SSH_AUTH_DENIED;
                for (unsigned i = 0; i < count; ++i)
                    ssh_userauth_kbdint_setanswer(m_handle, i, (*answers)[i].text());
            }
            outcome = ssh_userauth_kbdint(m_handle, nullptr, nullptr);
        }
        return outcome;
    }

    PromptRound newRound(PromptRound::Kind kind) const {
        PromptRound round;
        round.kind = kind;
        round.host = m_session.host();
        round.user = m_session.target().user;
        return round;
    }

    static std::string text(const char* from) { return from ? printable(from, 2000) : std::string(); }

    /// As many answers as prompts, or nothing. Once declined, nothing is asked any more.
    std::optional<std::vector<Secret>> ask(const PromptRound& round) {
        if (m_declined)
            return std::nullopt;
        m_asked = true;
        m_watch.suspend();
        auto answers = m_questions.answer(round, m_stop);
        m_watch.extend();
        if (!answers || answers->size() != round.prompts.size()) {
            m_declined = true;
            return std::nullopt;
        }
        return answers;
    }

    tl::unexpected<Error> refused(unsigned tried) const {
        std::string ways;
        for (const auto& [method, name] :
             std::array<std::pair<unsigned, const char*>, 3>{{{SSH_AUTH_METHOD_PUBLICKEY, "keys"},
                                                              {SSH_AUTH_METHOD_INTERACTIVE, "questions"},
                                                              {SSH_AUTH_METHOD_PASSWORD, "password"}}})
            if ((tried & method) != 0)
                ways += (ways.empty() ? "" : ", ") + std::string(name);
        return fail(ErrorCode::Unreachable,
                    fmt::format("{} does not let {} in (tried: {}). Check User and IdentityFile of the SSH "
                                "configuration, and whether \"ssh {}\" works in a terminal.",
                                m_session.host(), m_session.target().user,
                                ways.empty() ? "nothing that the server offers is known here" : ways,
                                m_session.host()));
    }

    SshSession& m_session;
    ssh_session m_handle;
    Questions& m_questions;
    std::stop_token m_stop;
    Watchdog::Watch m_watch;
    ssh_callbacks_struct m_callbacks{};
    bool m_asked = false;
    bool m_declined = false;
};

} // namespace

Result<void> logIn(SshSession& session, Questions& questions, std::stop_token stop) {
    return Login(session, questions, std::move(stop)).run();
}

} // namespace ddp::remote
