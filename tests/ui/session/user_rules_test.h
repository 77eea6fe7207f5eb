// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/made_run.h"
#include "tests/support/temp_folder.h"
#include "ui/session/user_rules.h"

#include <QFile>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class UserRulesTest final : public QObject {
    Q_OBJECT

    static UserRule rule(UserRule::Match match, const char* pattern, WorkClass work) {
        return {match, QString::fromLatin1(pattern), work, std::nullopt, {}};
    }

private Q_SLOTS:
    void theyAreKeptInTheFormOfTheCommandLine() {
        const test::TempFolder folder;
        const QString file = QString::fromStdString((folder.path() / "sub/class_rules.json").string());
        std::vector<UserRule> rules{rule(UserRule::Match::Contains, "gemm", WorkClass::Communication),
                                    rule(UserRule::Match::Expression, "^a.*b$", WorkClass::Memory)};
        rules[0].color = QColor(0x77aadd);
        QVERIFY(loadRules(file)->empty());
        QVERIFY(saveRules(rules, file));
        QVERIFY(*loadRules(file) == rules);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray text = written.readAll();
        const auto parsed = ClassRules::parse({text.constData(), std::size_t(text.size())}, "mine");
        QVERIFY(parsed);
        QCOMPARE(parsed->size(), std::size_t(2));
    }

    void theFirstThatFitsWinsAndTheyGoBeforeOurs() {
        test::MadeRun run;
        const LocationId at = run.stream(0);
        for (const char* name : {"big_gemm", "gemm", "ncclKernel", "plain"}) {
            run.region(name, "cuda");
            run.slice(at, 0, 0, name);
        }
        const auto store = run.freeze();
        const auto rules = classRules({rule(UserRule::Match::Begins, "BIG", WorkClass::Memory),
                                       rule(UserRule::Match::Contains, "gemm", WorkClass::Communication),
                                       rule(UserRule::Match::Is, "ncclkernel", WorkClass::Ignored)});
        QVERIFY(rules);
        const Classification classes = classify(*store, *rules);
        const auto of = [&](const char* name) {
            for (std::size_t i = 0; i < store->regionCount(); ++i)
                if (store->regionName(RegionId(i)) == name)
                    return classes.classes.onStream[i];
            return WorkClass::Other;
        };
        QVERIFY(of("big_gemm") == WorkClass::Memory);
        QVERIFY(of("gemm") == WorkClass::Communication);
        QVERIFY(of("ncclKernel") == WorkClass::Ignored);
        QVERIFY(of("plain") == WorkClass::Compute);
    }

    void aBadPatternIsToldInOneSentence() {
        const auto bad = classRules({rule(UserRule::Match::Contains, "ok", WorkClass::Compute),
                                     rule(UserRule::Match::Expression, "a[", WorkClass::Compute)});
        QVERIFY(!bad);
        const QString sentence = QString::fromStdString(bad.error().message);
        QVERIFY2(sentence.startsWith(u"Rule 2"_s) && sentence.contains(u"a["_s), qPrintable(sentence));
        QCOMPARE(sentence.count(u'.'), 1);
        QVERIFY(!classRules({rule(UserRule::Match::Contains, "", WorkClass::Compute)}));
    }

    void whatOnlyAnEditorMakesIsNotLost() {
        const QByteArray text = R"({"rules": [
            {"id": "by_role", "class": "memory", "on": "stream", "role": ["kernel"], "color": "#bbcc33"},
            {"id": "two", "class": "compute", "name_contains": ["a", "b"]},
            {"id": "plain", "class": "other", "name_ends": ["z"], "on": "thread"}]})";
        const auto rules = rulesFrom(text, u"mine.json"_s);
        QVERIFY(rules);
        QCOMPARE(rules->size(), std::size_t(3));
        QVERIFY((*rules)[0].match == UserRule::Match::ByHand);
        QVERIFY((*rules)[1].match == UserRule::Match::ByHand);
        QCOMPARE((*rules)[2].pattern, u"z"_s);
        QVERIFY((*rules)[0].color == QColor(0xbbcc33));
        QVERIFY(*rulesFrom(rulesText(*rules), u"again.json"_s) == *rules);
        QVERIFY(rulesText(*rules).contains("\"kernel\""));
        QVERIFY(rulesText(*rules).contains("\"thread\""));
    }

    void aFileThatIsNotUnderstoodIsNamed() {
        const auto damaged = rulesFrom("{\"rules\": [{\"id\": \"a\", \"class\": \"red\"}]}", u"mine.json"_s);
        QVERIFY(!damaged);
        QVERIFY(QString::fromStdString(damaged.error().message).contains(u"mine.json"_s));
        const auto colored = rulesFrom(
            "{\"rules\": [{\"id\": \"a\", \"class\": \"other\", \"color\": \"#nothing\"}]}", u"mine.json"_s);
        QVERIFY(!colored);
    }
};

} // namespace ddp::ui
