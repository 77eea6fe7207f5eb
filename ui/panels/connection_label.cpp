// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/connection_label.h"

#include "ui/delegates/verdict_symbol.h"
#include "ui/session/connection_text.h"

#include <QPainter>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::ConnectionPhase;

namespace {

constexpr int kSymbol = 13;

Symbol symbolOf(ConnectionPhase phase) {
    switch (phase) {
    case ConnectionPhase::Connected:
        return Symbol::Pass;
    case ConnectionPhase::Connecting:
        return Symbol::Waiting;
    case ConnectionPhase::Lost:
    case ConnectionPhase::NeedsUser:
        return Symbol::Warning;
    case ConnectionPhase::Idle:
        break;
    }
    return Symbol::Broken;
}

} // namespace

ConnectionLabel::ConnectionLabel(ClusterSession& session, const Palette& palette, QWidget* parent)
    : QToolButton(parent), m_session(session), m_palette(palette) {
    setObjectName(u"connectionState"_s);
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(QSize(kSymbol, kSymbol));
    m_second.setInterval(1000);
    connect(this, &QToolButton::clicked, &m_session, &ClusterSession::refresh);
    connect(&m_session, &ClusterSession::stateChanged, this, &ConnectionLabel::refresh);
    connect(&m_session, &ClusterSession::clusterChanged, this, &ConnectionLabel::refresh);
    connect(&m_palette, &Palette::changed, this, &ConnectionLabel::refresh);
    connect(&m_second, &QTimer::timeout, this, &ConnectionLabel::refresh);
    refresh();
}

void ConnectionLabel::refresh() {
    setVisible(m_session.cluster() != nullptr);
    const auto& state = m_session.state();
    if (state.phase == ConnectionPhase::Lost && m_session.cluster())
        m_second.start();
    else
        m_second.stop();
    const auto now = std::chrono::system_clock::now();
    const QString text = connectionText(m_session.name(), state, now);
    setText(u' ' + text); // the style leaves no room beside the icon
    setAccessibleName(text);
    setToolTip(u"<p>%1</p>"_s.arg(connectionSentence(m_session.name(), state, now).toHtmlEscaped()));
    setIcon(symbolPixmap(symbolOf(state.phase), m_palette.colors(), kSymbol, devicePixelRatioF()));
}

} // namespace ddp::ui
