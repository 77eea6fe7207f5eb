// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/ssh_aliases.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kDeepest = 16;         // as ssh itself
constexpr qint64 kLargest = 1 << 20; // of one file
constexpr int kMostFiles = 1000;

QStringList filesOf(const QString& pattern, const QString& base) {
    QString path = pattern;
    if (path.startsWith(u"~/"_s))
        path = QDir::homePath() + path.mid(1);
    else if (QDir::isRelativePath(path))
        path = base + u'/' + path;
    const QFileInfo info(path);
    QStringList files;
    for (const QFileInfo& file :
         QDir(info.absolutePath()).entryInfoList({info.fileName()}, QDir::Files | QDir::Hidden, QDir::Name))
        files += file.absoluteFilePath();
    return files;
}

void readInto(QStringList& aliases, const QString& name, const QString& base, int depth, int& files) {
    QFile file(name);
    if (depth > kDeepest || ++files > kMostFiles || !file.open(QIODevice::ReadOnly))
        return;
    static const QRegularExpression form(u"^\\s*(\\w+)(?:\\s*=\\s*|\\s+)(.*?)\\s*$"_s);
    static const QRegularExpression blanks(u"\\s+"_s);
    for (const QString& line : QString::fromUtf8(file.read(kLargest)).split(u'\n')) {
        const auto match = form.match(line);
        const QString keyword = match.captured(1).toLower();
        if (keyword != u"host" && keyword != u"include")
            continue;
        for (QString word : match.captured(2).split(blanks, Qt::SkipEmptyParts)) {
            word.remove(u'"');
            if (word.startsWith(u'#'))
                break;
            if (keyword == u"include") {
                for (const QString& included : filesOf(word, base))
                    readInto(aliases, included, base, depth + 1, files);
            } else if (!word.contains(u'*') && !word.contains(u'?') && !word.startsWith(u'!') &&
                       !aliases.contains(word)) {
                aliases += word;
            }
        }
    }
}

} // namespace

QStringList sshAliases(const std::filesystem::path& configFile) {
    QStringList aliases;
    int files = 0;
    const QString name = QString::fromStdString(configFile.string());
    readInto(aliases, name, QFileInfo(name).absolutePath(), 0, files);
    return aliases;
}

} // namespace ddp::ui
