// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/start_page.h"

#include "ui/session/themed_icon.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidth = 430;

} // namespace

StartPage::StartPage(const Palette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette), m_title(new QLabel(u"ddpscope"_s)), m_recent(new QVBoxLayout),
      m_recentTitle(new QLabel(tr("Recent"))) {
    setObjectName(u"startPage"_s);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 2);
    large.setBold(true);
    m_title->setFont(large);
    auto* purpose = new QLabel(tr("Is this node fit for distributed training, and where does the time go?"));
    purpose->setWordWrap(true);
    m_quiet << purpose << m_recentTitle;

    auto* middle = new QWidget;
    middle->setMaximumWidth(kWidth);
    auto* column = new QVBoxLayout(middle);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(purpose);
    column->addSpacing(10);
    auto* demo =
        choice(u"startDemo"_s, u"play"_s, tr("Reproduce the bug here (no GPU needed)"),
               tr("Runs two ranks on this machine until libtorch says “inconsistent 0 params”, and names "
                  "the cause."));
    connect(demo, &QCommandLinkButton::clicked, this, &StartPage::demoWanted);
    column->addWidget(demo);
    auto* cluster =
        choice(u"startCluster"_s, u"cluster"_s, tr("Connect to a cluster"),
               tr("Shows the nodes of a Slurm cluster, checks those that you choose, and fetches what "
                  "they find. Needs nothing but your ssh access."));
    connect(cluster, &QCommandLinkButton::clicked, this, &StartPage::clusterWanted);
    column->addWidget(cluster);
    auto* open =
        choice(u"startOpen"_s, u"open"_s, tr("Open a trace"),
               tr("The folder of an OTF2 archive, or of a run with one archive per rank. Folders can also "
                  "be dropped on the window."));
    connect(open, &QCommandLinkButton::clicked, this, &StartPage::openWanted);
    column->addWidget(open);
    column->addSpacing(10);
    column->addWidget(m_recentTitle);
    m_recent->setSpacing(2);
    column->addLayout(m_recent);

    auto* outer = new QVBoxLayout(this);
    outer->addStretch(2);
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(middle, 10);
    row->addStretch();
    outer->addLayout(row);
    outer->addStretch(3);
    connect(&m_palette, &Palette::changed, this, &StartPage::takeColors);
    setRecent({});
    takeColors();
}

QCommandLinkButton* StartPage::choice(const QString& name, const QString& icon, const QString& title,
                                      const QString& sentence) {
    auto* button = new QCommandLinkButton(title, sentence);
    button->setObjectName(name);
    button->setIconSize(QSize(18, 18));
    m_choices.append({button, icon});
    return button;
}

void StartPage::setRecent(const QStringList& paths) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_recentTitle->setVisible(!paths.isEmpty());
    for (const QString& path : paths) {
        auto* link = new QLabel(u"<a href='#'>%1</a>"_s.arg(
            fontMetrics().elidedText(path, Qt::ElideMiddle, kWidth - 20).toHtmlEscaped()));
        link->setToolTip(path);
        link->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        connect(link, &QLabel::linkActivated, this, [this, path] { Q_EMIT pathWanted(path); });
        m_recent->addWidget(link);
    }
}

void StartPage::takeColors() {
    for (const auto& [button, icon] : m_choices)
        button->setIcon(themedIcon(icon, m_palette.colors()));
    for (QLabel* label : m_quiet) {
        QPalette quiet = label->palette();
        quiet.setColor(QPalette::WindowText, m_palette.colors().muted);
        label->setPalette(quiet);
    }
}

} // namespace ddp::ui
