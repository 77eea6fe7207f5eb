// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <optional>

class QAbstractItemModel;

namespace ddp::ui {

/// What a table says, without the table: the values behind its texts. A value that is not known is null.
struct TableData {
    QString name;                    ///< "summary", …
    std::optional<TimeRange> window; ///< that the numbers are of
    QStringList names;               ///< of the fields, as FieldsRole of the headings
    QList<QVariantList> rows;
};

/// Of any model that answers FieldsRole, in its order of rows. In the UI thread, as all of a model.
TableData tableData(const QAbstractItemModel& model, const QString& name, std::optional<TimeRange> window);

// What a file of it holds. Any thread.
QByteArray tableCsv(const TableData& data);
QByteArray tableJson(const TableData& data);

/// Texts as they are shown, a tab between cells, with the heading. Columns that show no text are left out.
QString tableText(const QAbstractItemModel& model, const QList<int>& rows);

} // namespace ddp::ui
