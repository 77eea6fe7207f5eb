// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/table_text.h"

#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "ui/models/rows_model.h"

#include <QAbstractItemModel>

namespace ddp::ui {

namespace {

constexpr int kPercentDecimals = 4; // as ddpscope-cli writes them

bool isReal(const QVariant& value) {
    return value.typeId() == QMetaType::Double || value.typeId() == QMetaType::Float;
}

std::string csvCell(const QVariant& value) {
    if (isReal(value))
        return QString::number(value.toDouble(), 'f', kPercentDecimals).toStdString();
    return report::csvField(value.toString().toStdString());
}

report::Json jsonCell(const QVariant& value) {
    if (!value.isValid())
        return nullptr;
    switch (value.typeId()) {
    case QMetaType::Bool:
        return value.toBool();
    case QMetaType::Int:
    case QMetaType::Long:
    case QMetaType::LongLong:
        return value.toLongLong();
    case QMetaType::UInt:
    case QMetaType::ULong:
    case QMetaType::ULongLong:
        return value.toULongLong();
    case QMetaType::Float:
    case QMetaType::Double:
        return value.toDouble();
    default:
        return value.toString().toStdString();
    }
}

} // namespace

TableData tableData(const QAbstractItemModel& model, const QString& name, std::optional<TimeRange> window) {
    TableData data{name, window, {}, {}};
    for (int column = 0; column < model.columnCount(); ++column)
        data.names += model.headerData(column, Qt::Horizontal, FieldsRole).toStringList();
    for (int row = 0; row < model.rowCount(); ++row) {
        QVariantList values;
        for (int column = 0; column < model.columnCount(); ++column)
            values += model.index(row, column).data(FieldsRole).toList();
        data.rows.append(values);
    }
    return data;
}

QByteArray tableCsv(const TableData& data) {
    std::string text = data.names.join(u',').toStdString() + '\n';
    for (const QVariantList& row : data.rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            text += (i > 0 ? "," : "") + csvCell(row[i]);
        text += '\n';
    }
    return QByteArray::fromStdString(text);
}

QByteArray tableJson(const TableData& data) {
    report::Json answer = report::envelope(data.name.toStdString());
    if (data.window)
        answer["window_ns"] = {data.window->begin.count, data.window->end.count};
    answer["rows"] = report::Json::array();
    for (const QVariantList& row : data.rows) {
        report::Json out = report::Json::object();
        for (qsizetype i = 0; i < row.size(); ++i)
            out[data.names[i].toStdString()] = jsonCell(row[i]);
        answer["rows"].push_back(std::move(out));
    }
    return QByteArray::fromStdString(report::jsonText(answer));
}

QString tableText(const QAbstractItemModel& model, const QList<int>& rows) {
    QList<int> columns;
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.rowCount() == 0 || model.index(0, column).data().isValid())
            columns += column;
    const auto line = [&columns](auto cell) {
        QStringList cells;
        for (const int column : columns)
            cells += cell(column).toString().replace(u'\n', u' ').replace(u'\t', u' ');
        return QString(cells.join(u'\t') + u'\n');
    };
    QString text = line([&model](int column) { return model.headerData(column, Qt::Horizontal); });
    for (const int row : rows)
        text += line([&model, row](int column) { return model.index(row, column).data(); });
    return text;
}

} // namespace ddp::ui
