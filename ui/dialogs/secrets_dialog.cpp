// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/secrets_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <string>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::PromptRound;

namespace {

constexpr int kWidth = 420;

QString sentenceFor(const PromptRound& round) {
    const QString host = QString::fromStdString(round.host);
    const QString user = QString::fromStdString(round.user);
    switch (round.kind) {
    case PromptRound::Kind::PassPhrase:
        return SecretsDialog::tr("To log in to %1, a key of yours on this machine has to be unlocked.")
            .arg(host);
    case PromptRound::Kind::Password:
        return SecretsDialog::tr("%1 wants the password of the user %2.").arg(host, user);
    case PromptRound::Kind::Interactive:
        break;
    }
    return SecretsDialog::tr("%1 asks the user %2, in its own words:").arg(host, user);
}

/// Words of the other side are data: no markup in them counts.
QLabel* plainLabel(const std::string& text) {
    auto* label = new QLabel(QString::fromStdString(text));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setVisible(!text.empty());
    return label;
}

} // namespace

SecretsDialog::SecretsDialog(const PromptRound& round, QWidget* parent) : QDialog(parent) {
    setObjectName(u"secretsDialog"_s);
    setWindowTitle(tr("Log in to %1").arg(QString::fromStdString(round.host)));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    auto* sentence = new QLabel(sentenceFor(round));
    sentence->setTextFormat(Qt::PlainText);
    sentence->setWordWrap(true);
    column->addWidget(sentence);
    for (const std::string& words : {round.title, round.instruction})
        if (!words.empty())
            column->addWidget(plainLabel(words));
    for (const remote::Prompt& prompt : round.prompts) {
        QLabel* label = plainLabel(prompt.text);
        auto* line = new QLineEdit;
        line->setObjectName(u"secret%1"_s.arg(m_lines.size()));
        line->setAccessibleName(QString::fromStdString(prompt.text));
        line->setEchoMode(prompt.secret ? QLineEdit::Password : QLineEdit::Normal);
        if (prompt.secret)
            line->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhNoPredictiveText | Qt::ImhSensitiveData);
        column->addWidget(label);
        column->addWidget(line);
        m_lines.push_back(line);
    }
    auto* kept = new QLabel(tr("What you type is kept in memory only, until you are logged in."));
    kept->setForegroundRole(QPalette::PlaceholderText);
    kept->setWordWrap(true);
    kept->setVisible(!m_lines.empty());
    column->addWidget(kept);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(m_lines.empty() ? tr("&Go on") : tr("&Log in"), QDialogButtonBox::AcceptRole)
        ->setObjectName(u"secretsAccept"_s);
    buttons->addButton(tr("&Do not connect"), QDialogButtonBox::RejectRole)
        ->setObjectName(u"secretsRefuse"_s);
    column->addSpacing(6);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(kWidth);
    if (!m_lines.empty())
        m_lines.front()->setFocus();
}

SecretsDialog::~SecretsDialog() {
    wipe();
}

std::vector<remote::Secret> SecretsDialog::take() {
    std::vector<remote::Secret> answers;
    for (const QLineEdit* line : m_lines) {
        QByteArray bytes = line->text().toUtf8();
        std::string text;
        text.reserve(static_cast<std::size_t>(bytes.size()) + 1);
        text.assign(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        bytes.fill('\0');
        answers.emplace_back(std::move(text));
    }
    wipe();
    return answers;
}

/// Qt's own copies are overwritten as far as it lets us.
void SecretsDialog::wipe() {
    for (QLineEdit* line : m_lines) {
        line->setText(QString(line->text().size(), u' '));
        line->clear();
    }
}

} // namespace ddp::ui
