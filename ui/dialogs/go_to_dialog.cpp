// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/go_to_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidth = 420;

} // namespace

GoToDialog::GoToDialog(std::function<Result<void>(const QString&)> go, QWidget* parent)
    : QDialog(parent), m_go(std::move(go)), m_text(new QLineEdit), m_problem(new QLabel) {
    setObjectName(u"goToDialog"_s);
    setWindowTitle(tr("Go to"));
    auto* what = new QLabel(tr("&Time since the begin of the run, with its unit, or a step:"));
    what->setBuddy(m_text);
    m_text->setObjectName(u"goToText"_s);
    m_text->setPlaceholderText(tr("1.25 s, 350 ms, 12345 ns, step 12"));
    m_problem->setObjectName(u"goToProblem"_s);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setMinimumHeight(2 * m_problem->fontMetrics().lineSpacing());
    m_problem->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Go"));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(what);
    column->addWidget(m_text);
    column->addWidget(m_problem);
    column->addWidget(buttons);
    setFixedWidth(kWidth);
    connect(buttons, &QDialogButtonBox::accepted, this, &GoToDialog::tryIt);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_text, &QLineEdit::textChanged, m_problem, &QLabel::clear);
}

void GoToDialog::ask() {
    m_problem->clear();
    m_text->selectAll();
    m_text->setFocus();
    show();
    raise();
    activateWindow();
}

void GoToDialog::tryIt() {
    if (const auto gone = m_go(m_text->text()); !gone) {
        m_problem->setText(QString::fromStdString(gone.error().message));
        m_text->selectAll();
        return;
    }
    accept();
}

} // namespace ddp::ui
