// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/desktop_theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QPalette>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

const QString kAppearance = u"org.freedesktop.appearance"_s;
const QString kColorScheme = u"color-scheme"_s;
constexpr uint kPrefersDark = 1;

bool busIsThere() {
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR", u"/nowhere"_s) + u"/bus"_s);
}

/// The value may be wrapped more than once: Read() answers with a variant in a variant.
uint unwrapped(QVariant value) {
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

} // namespace

DesktopTheme::DesktopTheme(QObject* parent)
    : QObject(parent), m_dark(QApplication::palette().color(QPalette::Window).lightness() < 128) {
    if (busIsThere())
        askPortal();
}

void DesktopTheme::askPortal() {
    const QString service = u"org.freedesktop.portal.Desktop"_s;
    const QString object = u"/org/freedesktop/portal/desktop"_s;
    const QString interface = u"org.freedesktop.portal.Settings"_s;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(service, object, interface, u"SettingChanged"_s, this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage question = QDBusMessage::createMethodCall(service, object, interface, u"Read"_s);
    question << kAppearance << kColorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* answered) {
        const QDBusPendingReply<QDBusVariant> reply = *answered;
        if (reply.isValid())
            settingChanged(kAppearance, kColorScheme, reply.value());
        answered->deleteLater();
    });
}

void DesktopTheme::settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group != kAppearance || key != kColorScheme)
        return;
    const bool dark = unwrapped(value.variant()) == kPrefersDark;
    if (dark == m_dark)
        return;
    m_dark = dark;
    Q_EMIT changed();
}

} // namespace ddp::ui
