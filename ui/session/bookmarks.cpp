// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/bookmarks.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kVersion = 1;

bool earlier(const Bookmark& a, const Bookmark& b) {
    return a.time < b.time;
}

bool putAside(const QString& file) {
    QString aside = file + u".damaged"_s;
    for (int number = 2; QFile::exists(aside); ++number)
        aside = u"%1.damaged-%2"_s.arg(file).arg(number);
    return QFile::rename(file, aside);
}

} // namespace

Bookmarks::Bookmarks(QString folder, QObject* parent) : QObject(parent), m_folder(std::move(folder)) {}

QString Bookmarks::folderBeside(const QString& settingsFile) {
    const QFileInfo settings(settingsFile.isEmpty() ? QSettings(u"ddpscope"_s, u"ddpscope"_s).fileName()
                                                    : settingsFile);
    if (settings.exists() && !settings.isFile())
        return {};
    return settings.absolutePath() + u"/bookmarks"_s;
}

QString Bookmarks::keyOf(const std::vector<std::filesystem::path>& paths) {
    QStringList names;
    for (const auto& path : paths)
        names += QDir::cleanPath(QFileInfo(QString::fromStdString(path.string())).absoluteFilePath());
    names.sort();
    return names.join(u'\n');
}

QString Bookmarks::file() const {
    const QByteArray hash = QCryptographicHash::hash(m_key.toUtf8(), QCryptographicHash::Sha256);
    return u"%1/%2.json"_s.arg(m_folder, QString::fromLatin1(hash.toHex().left(32)));
}

void Bookmarks::open(const QString& key) {
    m_key = key;
    m_all.clear();
    m_damaged = false;
    if (!key.isEmpty() && !m_folder.isEmpty() && QFile::exists(file())) {
        QFile kept(file());
        m_damaged = !kept.open(QIODevice::ReadOnly) || !read(kept.readAll());
    }
    Q_EMIT changed();
    if (m_damaged)
        Q_EMIT failed(tr("The bookmarks of this run can not be read, so it starts without any: %1 is "
                         "damaged. It is put aside when the next bookmark is set.")
                          .arg(QDir::toNativeSeparators(file())));
}

/// False for anything but what save() writes.
bool Bookmarks::read(const QByteArray& text) {
    const QJsonObject whole = QJsonDocument::fromJson(text).object();
    if (whole[u"version"_s].toInt() != kVersion || whole[u"run"_s].toString() != m_key ||
        !whole[u"bookmarks"_s].isArray())
        return false;
    std::vector<Bookmark> found;
    for (const QJsonValue& value : whole[u"bookmarks"_s].toArray()) {
        const QJsonValue time = value[u"time_ns"_s];
        const QJsonValue name = value[u"name"_s];
        if (!time.isDouble() || !name.isString())
            return false;
        found.push_back({Nanoseconds(time.toInteger()), name.toString()});
    }
    std::ranges::stable_sort(found, earlier);
    m_all = std::move(found);
    return true;
}

void Bookmarks::save() {
    if (m_key.isEmpty() || m_folder.isEmpty())
        return;
    if (m_damaged && !putAside(file())) {
        Q_EMIT failed(tr("The bookmarks are not kept: %1 is damaged and could not be put aside. Check the "
                         "permissions of its folder.")
                          .arg(QDir::toNativeSeparators(file())));
        return;
    }
    m_damaged = false;
    QJsonArray list;
    for (const Bookmark& mark : m_all)
        list.append(
            QJsonObject{{u"time_ns"_s, static_cast<qint64>(mark.time.count)}, {u"name"_s, mark.name}});
    const QJsonObject whole{{u"version"_s, kVersion}, {u"run"_s, m_key}, {u"bookmarks"_s, list}};
    QDir().mkpath(m_folder);
    QSaveFile out(file());
    if (!out.open(QIODevice::WriteOnly) || out.write(QJsonDocument(whole).toJson()) < 0 || !out.commit())
        Q_EMIT failed(tr("The bookmarks are not kept: %1 can not be written (%2). Check the folder.")
                          .arg(QDir::toNativeSeparators(file()), out.errorString()));
}

std::size_t Bookmarks::add(Nanoseconds time, const QString& name) {
    Bookmark mark{time, name.trimmed()};
    for (std::size_t number = m_all.size() + 1; mark.name.isEmpty(); ++number) {
        const QString proposed = tr("mark %1").arg(number);
        if (std::ranges::none_of(m_all, [&](const Bookmark& other) { return other.name == proposed; }))
            mark.name = proposed;
    }
    const auto at = m_all.insert(std::ranges::upper_bound(m_all, mark, earlier), mark);
    const auto place = static_cast<std::size_t>(at - m_all.begin());
    save();
    Q_EMIT changed();
    return place;
}

void Bookmarks::rename(std::size_t place, const QString& name) {
    if (name.trimmed().isEmpty() || m_all[place].name == name.trimmed())
        return;
    m_all[place].name = name.trimmed();
    save();
    Q_EMIT changed();
}

void Bookmarks::remove(std::size_t place) {
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(place));
    save();
    Q_EMIT changed();
}

std::optional<std::size_t> Bookmarks::before(Nanoseconds time) const {
    const auto at = std::ranges::lower_bound(m_all, Bookmark{time, {}}, earlier);
    return at == m_all.begin() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(at - m_all.begin()) - 1);
}

std::optional<std::size_t> Bookmarks::after(Nanoseconds time) const {
    const auto at = std::ranges::upper_bound(m_all, Bookmark{time, {}}, earlier);
    return at == m_all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - m_all.begin()));
}

} // namespace ddp::ui
