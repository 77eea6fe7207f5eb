// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/host_key_dialog.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QLabel* plainText(const std::string& text, const QString& object, bool fixed) {
    auto* label = new QLabel(QString::fromStdString(text));
    label->setObjectName(object);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    if (fixed)
        label->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    return label;
}

} // namespace

HostKeyDialog::HostKeyDialog(const remote::HostKeyQuestion& question, QWidget* parent) : QDialog(parent) {
    setObjectName(u"hostKeyDialog"_s);
    const QString host = QString::fromStdString(question.host);
    setWindowTitle(tr("Unknown host key of %1").arg(host));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* title =
        new QLabel(tr("Is this really %1? This machine was never connected to it before.").arg(host));
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    column->addWidget(title);
    auto* facts = new QFormLayout;
    facts->setHorizontalSpacing(14);
    facts->addRow(tr("Address"), plainText(question.address, u"hostKeyAddress"_s, false));
    facts->addRow(tr("Kind of key"), plainText(question.keyType, u"hostKeyType"_s, false));
    QLabel* fingerprint = plainText(question.fingerprint, u"hostKeyFingerprint"_s, true);
    facts->addRow(tr("Fingerprint"), fingerprint);
    QLabel* picture = plainText(question.picture, u"hostKeyPicture"_s, true);
    picture->setAccessibleName(tr("The fingerprint as a picture"));
    facts->addRow(tr("As a picture"), picture);
    column->addLayout(facts);
    auto* advice =
        new QLabel(tr("Compare it with what the administrators of the machine publish. Where it differs, "
                      "somebody may be listening in: do not connect then, and tell them. What you accept is "
                      "remembered in your known_hosts file."));
    advice->setWordWrap(true);
    column->addWidget(advice);
    auto* buttons = new QDialogButtonBox;
    QPushButton* accept = buttons->addButton(tr("&Accept the key and connect"), QDialogButtonBox::AcceptRole);
    QPushButton* refuse = buttons->addButton(tr("&Do not connect"), QDialogButtonBox::RejectRole);
    accept->setObjectName(u"hostKeyAccept"_s);
    refuse->setObjectName(u"hostKeyRefuse"_s);
    accept->setAutoDefault(false);
    refuse->setDefault(true);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    refuse->setFocus();
}

} // namespace ddp::ui
