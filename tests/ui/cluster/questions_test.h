// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/connection_questions.h"
#include "ui/dialogs/host_key_dialog.h"
#include "ui/dialogs/secrets_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <atomic>
#include <thread>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What a connection asks, answered by dialogs while its thread waits.
class QuestionsTest final : public QObject {
    Q_OBJECT

    /// Another thread that asks something, and what came back.
    template <class Answer>
    struct Asking {
        std::atomic<bool> done = false;
        Answer answer{};
        std::jthread thread;

        template <class Ask>
        explicit Asking(Ask ask)
            : thread([this, ask](std::stop_token stop) {
                  answer = ask(stop);
                  done = true;
              }) {}
    };
    using Secrets = std::optional<std::vector<remote::Secret>>;

    static remote::PromptRound round() {
        remote::PromptRound made;
        made.kind = remote::PromptRound::Kind::Interactive;
        made.host = "atlas";
        made.user = "anna";
        made.instruction = "Second factor <b>needed</b>";
        made.prompts = {{"Password: ", true}, {"One-time code: ", true}, {"Cluster name: ", false}};
        return made;
    }
    static remote::HostKeyQuestion key() {
        return {"atlas", "atlas.example.org:22", "ssh-ed25519", "SHA256:abcdef",
                "+--[ED25519 256]--+\n|  o  |\n+---+"};
    }
    template <class Dialog>
    Dialog* opened() {
        Dialog* dialog = nullptr;
        if (!QTest::qWaitFor(
                [&] { return (dialog = m_window->findChild<Dialog*>()) && dialog->isVisible(); }))
            return nullptr;
        return dialog;
    }
    void picture(const char* name, QWidget& of) {
        if (const QString folder = qEnvironmentVariable("DDP_PICTURES"); !folder.isEmpty())
            of.grab().save(folder + u'/' + QString::fromLatin1(name) + u".png"_s);
    }

    std::unique_ptr<QWidget> m_window;
    std::unique_ptr<ConnectionQuestions> m_questions;

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QWidget>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_questions = std::make_unique<ConnectionQuestions>(*m_window);
    }
    void cleanup() {
        m_questions.reset();
        m_window.reset();
    }

    void severalPromptsAreAnsweredAtOnceAndNotShown() {
        Asking<Secrets> asking(
            [this](const std::stop_token& stop) { return m_questions->answer(round(), stop); });
        auto* dialog = opened<SecretsDialog>();
        QVERIFY(dialog);
        picture("question-secrets", *dialog);
        const char* typed[] = {"right one", "123456", "atlas-2"};
        for (int i = 0; i < 3; ++i) {
            auto* line = dialog->findChild<QLineEdit*>(u"secret%1"_s.arg(i));
            QVERIFY(line && !line->accessibleName().isEmpty());
            QCOMPARE(line->echoMode(), i < 2 ? QLineEdit::Password : QLineEdit::Normal);
            QTest::keyClicks(line, QString::fromLatin1(typed[i]));
        }
        bool plain = false;
        for (const QLabel* label : dialog->findChildren<QLabel*>())
            plain |= label->text().contains(u"<b>needed</b>"_s) && label->textFormat() == Qt::PlainText;
        QVERIFY(plain);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(asking.done);
        QVERIFY(asking.answer && asking.answer->size() == 3);
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(std::string((*asking.answer)[i].text()), std::string(typed[i]));
    }

    void whoDeclinesIsNotAskedAgain() {
        Asking<Secrets> asking(
            [this](const std::stop_token& stop) { return m_questions->answer(round(), stop); });
        auto* dialog = opened<SecretsDialog>();
        QVERIFY(dialog);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(asking.done);
        QVERIFY(!asking.answer);
    }

    void aMessageWithoutPromptsIsShownAndGoesOn() {
        Asking<Secrets> asking([this](const std::stop_token& stop) {
            remote::PromptRound only = round();
            only.prompts.clear();
            return m_questions->answer(only, stop);
        });
        auto* dialog = opened<SecretsDialog>();
        QVERIFY(dialog);
        QTest::mouseClick(dialog->findChild<QPushButton*>(u"secretsAccept"_s), Qt::LeftButton);
        QTRY_VERIFY(asking.done);
        QVERIFY(asking.answer && asking.answer->empty());
    }

    void anUnknownHostKeyIsRefusedUnlessItIsAccepted() {
        for (const bool accept : {false, true}) {
            Asking<bool> asking(
                [this](const std::stop_token& stop) { return m_questions->acceptHostKey(key(), stop); });
            auto* dialog = opened<HostKeyDialog>();
            QVERIFY(dialog);
            picture("question-host-key", *dialog);
            QCOMPARE(dialog->findChild<QLabel*>(u"hostKeyFingerprint"_s)->text(), u"SHA256:abcdef"_s);
            QVERIFY(dialog->findChild<QLabel*>(u"hostKeyPicture"_s)->text().contains(u"ED25519"_s));
            QVERIFY(dialog->findChild<QPushButton*>(u"hostKeyRefuse"_s)->isDefault());
            if (accept)
                QTest::mouseClick(dialog->findChild<QPushButton*>(u"hostKeyAccept"_s), Qt::LeftButton);
            else
                QTest::keyClick(dialog, Qt::Key_Return); // in a hurry
            QTRY_VERIFY(asking.done);
            QCOMPARE(asking.answer, accept);
            QTRY_VERIFY(!m_window->findChild<HostKeyDialog*>());
        }
    }

    void aThreadThatIsStoppedComesBackWithoutTheWindow() {
        Asking<Secrets> asking(
            [this](const std::stop_token& stop) { return m_questions->answer(round(), stop); });
        QVERIFY(opened<SecretsDialog>());
        asking.thread.request_stop();
        asking.thread.join(); // no event is handled meanwhile
        QVERIFY(!asking.answer);
        QTRY_VERIFY(!m_window->findChild<SecretsDialog*>());
    }
};

} // namespace ddp::ui
