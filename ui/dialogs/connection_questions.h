// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/questions.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>

class QDialog;
class QWidget;

namespace ddp::ui {

/// Answers what a connection needs to know by dialogs above the window. Lives in the UI thread; the methods
/// of Questions are called by the threads that connect, which wait there. It must outlive them; a thread that
/// is asked to stop does not need the UI thread to come back.
class ConnectionQuestions final : public QObject, public remote::Questions {
    Q_OBJECT

public:
    explicit ConnectionQuestions(QWidget& window);
    ~ConnectionQuestions() override;

    std::optional<std::vector<remote::Secret>> answer(const remote::PromptRound& round,
                                                      std::stop_token stop) override;
    bool acceptHostKey(const remote::HostKeyQuestion& question, std::stop_token stop) override;

private:
    template <class Answer>
    struct Asked;
    template <class Answer, class Open>
    Answer askInWindow(const std::stop_token& stop, Open open);
    QWidget* parentNow() const;

    QWidget& m_window;
};

} // namespace ddp::ui
