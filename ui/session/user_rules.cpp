// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/user_rules.h"

#include "core/base/pattern.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

#include <array>
#include <exception>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(UserRules)
};

const std::array<std::pair<UserRule::Match, QString>, 5> kMatchKeys{{
    {UserRule::Match::Contains, u"name_contains"_s},
    {UserRule::Match::Begins, u"name_begins"_s},
    {UserRule::Match::Ends, u"name_ends"_s},
    {UserRule::Match::Is, u"name_is"_s},
    {UserRule::Match::Expression, u"name_matches"_s},
}};

const std::array<std::pair<WorkClass, QString>, 5> kClassNames{{
    {WorkClass::Communication, u"communication"_s},
    {WorkClass::Compute, u"compute"_s},
    {WorkClass::Memory, u"memory"_s},
    {WorkClass::Ignored, u"ignored"_s},
    {WorkClass::Other, u"other"_s},
}};

template <class Table, class Key>
QString nameOf(const Table& table, Key key) {
    for (const auto& [value, name] : table)
        if (value == key)
            return name;
    return {};
}

tl::unexpected<Error> refused(const QString& sentence) {
    return fail(ErrorCode::Unreadable, sentence.toStdString());
}

QJsonObject objectOf(const UserRule& rule, std::size_t number) {
    QJsonObject object = rule.more;
    if (!object.contains(u"id"_s))
        object[u"id"_s] = u"mine_%1"_s.arg(number);
    object[u"class"_s] = nameOf(kClassNames, rule.work);
    if (rule.match != UserRule::Match::ByHand)
        object[nameOf(kMatchKeys, rule.match)] = QJsonArray{rule.pattern};
    if (rule.color)
        object[u"color"_s] = rule.color->name();
    return object;
}

/// What the window can not show stays in `more`, so that it is not lost when the rules are saved.
UserRule ruleOf(QJsonObject object) {
    UserRule rule;
    const QString work = object.take(u"class"_s).toString();
    for (const auto& [value, name] : kClassNames)
        if (name == work)
            rule.work = value;
    if (object.contains(u"color"_s))
        rule.color = QColor(object.take(u"color"_s).toString());
    if (object.value(u"id"_s).toString().startsWith(u"mine_"_s))
        object.remove(u"id"_s); // given anew, by the place
    rule.match = UserRule::Match::ByHand;
    for (const auto& [match, key] : kMatchKeys) {
        const QJsonArray texts = object.value(key).toArray();
        if (texts.size() != 1)
            continue;
        rule.match = match;
        rule.pattern = texts[0].toString();
        object.remove(key);
        break;
    }
    rule.more = object;
    return rule;
}

QString problemOf(const UserRule& rule, std::size_t number) {
    if (rule.match == UserRule::Match::ByHand)
        return {};
    if (rule.pattern.isEmpty())
        return Texts::tr("Rule %1 has no pattern: type a part of a region's name, or remove the rule.")
            .arg(number);
    if (rule.match != UserRule::Match::Expression)
        return {};
    try {
        Pattern(rule.pattern.toStdString(), true);
    } catch (const std::exception&) {
        return Texts::tr("Rule %1: “%2” is no regular expression, so nothing was saved: correct it, or "
                         "choose “contains”.")
            .arg(number)
            .arg(rule.pattern);
    }
    return {};
}

} // namespace

QString ruleText(const UserRule& rule) {
    return rule.match == UserRule::Match::ByHand ? rule.more.value(u"id"_s).toString() : rule.pattern;
}

QByteArray rulesText(const std::vector<UserRule>& rules) {
    QJsonArray list;
    for (const UserRule& rule : rules)
        list.append(objectOf(rule, static_cast<std::size_t>(list.size()) + 1));
    return QJsonDocument(QJsonObject{{u"rules"_s, list}}).toJson();
}

Result<std::vector<UserRule>> rulesFrom(const QByteArray& text, const QString& file) {
    const std::string_view bytes(text.constData(), static_cast<std::size_t>(text.size()));
    if (auto parsed = ClassRules::parse(bytes, file.toStdString()); !parsed)
        return forward(parsed);
    std::vector<UserRule> rules;
    for (const QJsonValue& entry : QJsonDocument::fromJson(text)[u"rules"_s].toArray()) {
        rules.push_back(ruleOf(entry.toObject()));
        if (rules.back().color && !rules.back().color->isValid())
            return refused(Texts::tr("%1: the color of rule %2 is no color: write it as #rrggbb.")
                               .arg(file)
                               .arg(rules.size()));
    }
    return rules;
}

Result<ClassRules> classRules(const std::vector<UserRule>& rules) {
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (const QString problem = problemOf(rules[i], i + 1); !problem.isEmpty())
            return refused(problem);
    const QByteArray text = rulesText(rules);
    auto parsed = ClassRules::parse({text.constData(), static_cast<std::size_t>(text.size())},
                                    Texts::tr("your rules").toStdString());
    if (!parsed)
        return parsed;
    return parsed->before(ClassRules::builtin());
}

std::vector<SliceColoring::Rule> ruleColors(const std::vector<UserRule>& rules) {
    std::vector<SliceColoring::Rule> colors;
    for (const UserRule& rule : rules)
        colors.push_back({ruleText(rule), rule.color});
    return colors;
}

Result<std::vector<UserRule>> loadRules(const QString& file) {
    QFile from(file);
    if (!from.exists())
        return std::vector<UserRule>();
    if (!from.open(QIODevice::ReadOnly))
        return refused(Texts::tr("%1 can not be read (%2), so your rules are not in force.")
                           .arg(file, from.errorString()));
    return rulesFrom(from.readAll(), file);
}

Result<void> saveRules(const std::vector<UserRule>& rules, const QString& file) {
    QDir().mkpath(QFileInfo(file).absolutePath());
    QSaveFile to(file);
    if (!to.open(QIODevice::WriteOnly) || to.write(rulesText(rules)) < 0 || !to.commit())
        return refused(
            Texts::tr("%1 could not be written (%2), so your rules are lost when the program ends.")
                .arg(file, to.errorString()));
    return {};
}

} // namespace ddp::ui
