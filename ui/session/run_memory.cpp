// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_memory.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

const auto kChanged = u"changed"_s; // of a run, beside its parts: milliseconds since 1970

QString keyOf(const std::vector<std::filesystem::path>& run) {
    QStringList paths;
    for (const std::filesystem::path& path : run)
        paths += QDir::cleanPath(QFileInfo(QString::fromStdString(path.string())).absoluteFilePath());
    paths.sort();
    return paths.join(u'\n');
}

void forgetOldest(QJsonObject& runs) {
    while (runs.size() > RunMemory::kMostRuns) {
        auto oldest = runs.begin();
        for (auto run = runs.begin(); run != runs.end(); ++run)
            if (run->toObject()[kChanged].toInteger() < oldest->toObject()[kChanged].toInteger())
                oldest = run;
        runs.erase(oldest);
    }
}

} // namespace

QString runMemoryFile(const QString& settingsFile) {
    if (!settingsFile.isEmpty()) {
        const QFileInfo settings(settingsFile);
        // A device, such as /dev/null, has no folder of ours.
        return settings.exists() && !settings.isFile() ? QString()
                                                       : settings.absolutePath() + u"/runs.json"_s;
    }
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/ddpscope/runs.json"_s;
}

RunMemory::RunMemory(const QString& file) : m_file(file) {
    m_runs = read();
}

QJsonObject RunMemory::read() {
    QFile file(m_file);
    if (m_file.isEmpty() || !file.exists())
        return {};
    if (!file.open(QIODevice::ReadOnly)) {
        m_problem = QCoreApplication::translate(
                        "RunMemory", "%1 can not be read, so that no run opens where it was left: %2.")
                        .arg(m_file, file.errorString());
        return {};
    }
    const QJsonObject all = QJsonDocument::fromJson(file.readAll()).object();
    if (!all[u"runs"_s].isObject()) {
        m_problem = QCoreApplication::translate(
                        "RunMemory", "%1 is damaged and is begun anew; runs open as a whole again.")
                        .arg(m_file);
        return {};
    }
    return all[u"runs"_s].toObject();
}

QJsonObject RunMemory::part(const std::vector<std::filesystem::path>& run, const QString& name) const {
    return m_runs[keyOf(run)].toObject()[name].toObject();
}

void RunMemory::setPart(const std::vector<std::filesystem::path>& run, const QString& name,
                        const QJsonObject& value) {
    const QString key = keyOf(run);
    QJsonObject parts = m_runs[key].toObject();
    if (parts[name].toObject() == value)
        return;
    if (value.isEmpty())
        parts.remove(name);
    else
        parts[name] = value;
    parts[kChanged] = QDateTime::currentMSecsSinceEpoch();
    if (!m_file.isEmpty())
        m_runs = read(); // another window may have written since
    m_runs[key] = parts;
    forgetOldest(m_runs);
    write(m_runs);
}

void RunMemory::write(const QJsonObject& runs) const {
    if (m_file.isEmpty())
        return;
    QDir().mkpath(QFileInfo(m_file).absolutePath());
    QSaveFile file(m_file);
    // What can not be remembered is not worth a sentence each time.
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QJsonDocument(QJsonObject{{u"version"_s, 1}, {u"runs"_s, runs}}).toJson());
        file.commit();
    }
}

} // namespace ddp::ui
