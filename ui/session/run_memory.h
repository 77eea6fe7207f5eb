// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace ddp::ui {

/// What is remembered of each run, by its absolute paths: a JSON object per part ("view", …), of which each
/// part knows its own only. Kept in one small file of the user, never beside the trace.
class RunMemory {
public:
    /// `file` empty: nothing is kept beyond this object.
    explicit RunMemory(const QString& file);

    QJsonObject part(const std::vector<std::filesystem::path>& run, const QString& name) const;
    /// An empty object forgets the part.
    void setPart(const std::vector<std::filesystem::path>& run, const QString& name,
                 const QJsonObject& value);

    /// A sentence when the file was damaged, and what it held is lost; else empty.
    const QString& problem() const { return m_problem; }

    static constexpr int kMostRuns = 200; ///< the ones that were changed last

private:
    QJsonObject read();
    void write(const QJsonObject& runs) const;

    QString m_file;
    QString m_problem;
    QJsonObject m_runs; // by key
};

/// Beside the settings; empty where these are no file that can be kept.
QString runMemoryFile(const QString& settingsFile);

} // namespace ddp::ui
