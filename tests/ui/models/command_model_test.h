// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/command_model.h"

#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class CommandModelTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWordHasToBeThere() {
        QVERIFY(fitsQuery(u"View › Zoom in"_s, u"zoom VIEW"_s));
        QVERIFY(fitsQuery(u"View › Zoom in"_s, u" "_s));
        QVERIFY(!fitsQuery(u"View › Zoom in"_s, u"zoom out"_s));
    }

    void titlesAndDisabledOnesCanNotBeRun() {
        int ran = 0;
        CommandModel model;
        const auto some = [&ran](const QString& query) {
            std::vector<Command> all{{u"first"_s, {}, false, {}},
                                     {u"second"_s, u"F2"_s, true, [&ran] { ++ran; }}};
            std::erase_if(all, [&](const Command& command) { return !fitsQuery(command.text, query); });
            return all;
        };
        model.setGroups(
            {{u"None"_s, [](const QString&) { return std::vector<Command>(); }}, {u"Some"_s, some}});
        model.setQuery({});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0).data().toString(), u"Some"_s);
        QVERIFY(!(model.index(0).flags() & Qt::ItemIsEnabled));
        QVERIFY(!(model.index(1).flags() & Qt::ItemIsEnabled));
        QCOMPARE(model.runnable(0, 1), 2);
        QCOMPARE(model.runnable(1, -1), -1);
        QCOMPARE(model.index(2).data(CommandModel::HintRole).toString(), u"F2"_s);
        model.command(2).run();
        QCOMPARE(ran, 1);
        model.setQuery(u"first"_s);
        QCOMPARE(model.runnable(0, 1), -1);
        model.setQuery(u"third"_s);
        QCOMPARE(model.rowCount(), 0);
    }
};

} // namespace ddp::ui
