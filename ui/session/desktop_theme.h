// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QString>

namespace ddp::ui {

/// Whether the desktop prefers dark, as far as it says so: by the palette that Qt got from it, and by its
/// settings portal on the session bus, which is asked without waiting and tells of changes.
class DesktopTheme final : public QObject {
    Q_OBJECT

public:
    explicit DesktopTheme(QObject* parent = nullptr);
    bool dark() const { return m_dark; }

Q_SIGNALS:
    void changed();

private:
    void askPortal();
    Q_SLOT void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

    bool m_dark;
};

} // namespace ddp::ui
