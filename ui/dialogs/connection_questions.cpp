// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_questions.h"

#include "ui/dialogs/host_key_dialog.h"
#include "ui/dialogs/secrets_dialog.h"

#include <QApplication>
#include <QDialog>

#include <condition_variable>
#include <mutex>
#include <utility>

namespace ddp::ui {

/// Between the thread that waits and the window.
template <class Answer>
struct ConnectionQuestions::Asked {
    std::mutex mutex;
    std::condition_variable_any answered;
    bool done = false;
    Answer answer{};
    QPointer<QDialog> dialog; // used in the UI thread only

    void give(Answer given) {
        const std::scoped_lock lock(mutex);
        answer = std::move(given);
        done = true;
        answered.notify_all();
    }
};

ConnectionQuestions::ConnectionQuestions(QWidget& window) : m_window(window) {}

ConnectionQuestions::~ConnectionQuestions() = default;

/// The assistant may be above the window.
QWidget* ConnectionQuestions::parentNow() const {
    QWidget* modal = QApplication::activeModalWidget();
    return modal ? modal : &m_window;
}

template <class Answer, class Open>
Answer ConnectionQuestions::askInWindow(const std::stop_token& stop, Open open) {
    const auto asked = std::make_shared<Asked<Answer>>();
    QMetaObject::invokeMethod(
        this,
        [asked, open, stop] {
            if (stop.stop_requested())
                return;
            asked->dialog = open(asked);
            asked->dialog->setAttribute(Qt::WA_DeleteOnClose);
            asked->dialog->open();
        },
        Qt::QueuedConnection);
    std::unique_lock lock(asked->mutex);
    if (asked->answered.wait(lock, stop, [&] { return asked->done; }))
        return std::move(asked->answer);
    lock.unlock();
    QMetaObject::invokeMethod(
        this,
        [asked] {
            if (asked->dialog)
                asked->dialog->close();
        },
        Qt::QueuedConnection);
    return Answer{};
}

std::optional<std::vector<remote::Secret>> ConnectionQuestions::answer(const remote::PromptRound& round,
                                                                       std::stop_token stop) {
    using Answer = std::optional<std::vector<remote::Secret>>;
    return askInWindow<Answer>(stop, [this, round](const std::shared_ptr<Asked<Answer>>& asked) -> QDialog* {
        auto* dialog = new SecretsDialog(round, parentNow());
        QObject::connect(dialog, &QDialog::finished, dialog, [dialog, asked](int result) {
            asked->give(result == QDialog::Accepted ? Answer(dialog->take()) : std::nullopt);
        });
        return dialog;
    });
}

bool ConnectionQuestions::acceptHostKey(const remote::HostKeyQuestion& question, std::stop_token stop) {
    return askInWindow<bool>(stop, [this, question](const std::shared_ptr<Asked<bool>>& asked) -> QDialog* {
        auto* dialog = new HostKeyDialog(question, parentNow());
        QObject::connect(dialog, &QDialog::finished, dialog,
                         [asked](int result) { asked->give(result == QDialog::Accepted); });
        return dialog;
    });
}

} // namespace ddp::ui
