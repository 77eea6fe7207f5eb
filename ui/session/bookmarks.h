// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace ddp::ui {

/// A point in time that the user has named.
struct Bookmark {
    Nanoseconds time;
    QString name;
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// The bookmarks of the open run, kept in a file per run that belongs to the user; nothing is written beside
/// the trace.
class Bookmarks final : public QObject {
    Q_OBJECT

public:
    /// `folder` empty: they are forgotten with the program.
    explicit Bookmarks(QString folder, QObject* parent = nullptr);

    /// The folder beside the settings; empty when those are not kept either.
    static QString folderBeside(const QString& settingsFile);
    /// What names a run, whatever the folder in which the program was started and the order of the paths.
    static QString keyOf(const std::vector<std::filesystem::path>& paths);

    /// Takes what is kept of a run; an empty key is no run.
    void open(const QString& key);

    const std::vector<Bookmark>& all() const { return m_all; } ///< by time
    /// Place of the new one. Without a name it gets a number.
    std::size_t add(Nanoseconds time, const QString& name = {});
    void rename(std::size_t place, const QString& name);
    void remove(std::size_t place);
    std::optional<std::size_t> before(Nanoseconds time) const;
    std::optional<std::size_t> after(Nanoseconds time) const;

Q_SIGNALS:
    void changed();
    void failed(const QString& sentence);

private:
    QString file() const;
    bool read(const QByteArray& text);
    void save();

    QString m_folder;
    QString m_key;
    std::vector<Bookmark> m_all;
    bool m_damaged = false; // the file holds what is not understood, and must not be lost
};

} // namespace ddp::ui
