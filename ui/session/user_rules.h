// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/base/result.h"
#include "ui/session/slice_colors.h"

#include <QColor>
#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace ddp::ui {

/// A rule of the user's own: what it fits, what class that is, and in which colour it is drawn.
struct UserRule {
    enum class Match { Contains, Begins, Ends, Is, Expression, ByHand };

    Match match = Match::Contains; ///< of the pattern with the region's name
    QString pattern;               ///< empty with ByHand
    WorkClass work = WorkClass::Communication;
    std::optional<QColor> color; ///< nothing: that of its class
    QJsonObject more{};          ///< what else the file says: conditions that only a text editor makes

    friend bool operator==(const UserRule&, const UserRule&) = default;
};

/// What to show of it in a legend.
QString ruleText(const UserRule& rule);

/// The file of rules that `ddpscope-cli --class-rules` takes as well; an Error names `file` and what is wrong
/// in it.
QByteArray rulesText(const std::vector<UserRule>& rules);
Result<std::vector<UserRule>> rulesFrom(const QByteArray& text, const QString& file);
/// These, and then those of the program. An Error says in one sentence which rule is wrong.
Result<ClassRules> classRules(const std::vector<UserRule>& rules);
std::vector<SliceColoring::Rule> ruleColors(const std::vector<UserRule>& rules);

/// None where there is no file.
Result<std::vector<UserRule>> loadRules(const QString& file);
Result<void> saveRules(const std::vector<UserRule>& rules, const QString& file);

} // namespace ddp::ui
