// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace ddp::ui {

/// What cells have beside their text.
enum RowsRole {
    KeyRole = Qt::UserRole, ///< what the column is sorted by; the number itself where the text is a number
    BarRole,                ///< ActivityParts, or a share from 0 to 1
    SymbolRole,
    FieldsRole ///< what a column is in a file: of its heading a QStringList of names, of a cell a
               ///< QVariantList
};

/// A value of a row as it stands in a file: a number is one there, with its unit in the name as in
/// cli-json.md; null: not known.
template <class Row>
struct Field {
    const char* name = "";
    QVariant (*value)(const Row&) = nullptr;
};

/// A list of them. GCC 12 does not compile a plain vector as a member that designated initializers leave out.
template <class Row>
class Fields {
public:
    Fields() noexcept {}
    Fields(std::initializer_list<Field<Row>> fields) : m_fields(fields) {}
    auto begin() const { return m_fields.begin(); }
    auto end() const { return m_fields.end(); }

private:
    std::vector<Field<Row>> m_fields;
};

template <class T>
QVariant valueOrNull(const std::optional<T>& value) {
    return value ? QVariant::fromValue(*value) : QVariant();
}

/// A column of rows of one type. What a row has not is left null.
template <class Row>
struct Column {
    QString title{};
    QString tip{}; ///< of the heading
    bool number = false;
    QString (*text)(const Row&) = nullptr;
    QVariant (*key)(const Row&) = nullptr;
    QVariant (*bar)(const Row&) = nullptr;
    QVariant (*symbol)(const Row&) = nullptr;
    QString (*cellTip)(const Row&) = nullptr; ///< plain text; without it the tip is the text
    Fields<Row> fields{};                     ///< none: the column only shows what others say
};

/// A table of typed rows. Texts are made when they are shown.
template <class Row>
class RowsModel final : public QAbstractTableModel {
public:
    explicit RowsModel(std::vector<Column<Row>> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

    /// As many rows as before keep their places, so that selection and scroll bar stay.
    void setRows(std::vector<Row> rows) {
        if (rows.size() == m_rows.size()) {
            m_rows = std::move(rows);
            if (!m_rows.empty())
                Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    const Row& row(int place) const { return m_rows[static_cast<std::size_t>(place)]; }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || index.row() >= rowCount())
            return {};
        const Column<Row>& column = m_columns[static_cast<std::size_t>(index.column())];
        const Row& values = row(index.row());
        switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return column.text ? QVariant(column.text(values)) : QVariant();
        case Qt::ToolTipRole: {
            const QString tip = column.cellTip ? column.cellTip(values)
                                : column.text  ? column.text(values)
                                               : QString();
            // As rich text, long ones are broken over lines.
            return tip.isEmpty() ? QVariant()
                                 : QVariant(QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped()));
        }
        case Qt::TextAlignmentRole:
            return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case KeyRole:
            return column.key ? column.key(values) : data(index, Qt::DisplayRole);
        case BarRole:
            return column.bar ? column.bar(values) : QVariant();
        case FieldsRole:
            return fieldsOf(column, values);
        case SymbolRole:
            return column.symbol ? column.symbol(values) : QVariant();
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal)
            return {};
        const Column<Row>& column = m_columns[static_cast<std::size_t>(section)];
        switch (role) {
        case Qt::DisplayRole:
            return column.title;
        case Qt::ToolTipRole:
            return column.tip.isEmpty() ? QVariant() : QVariant(column.tip);
        case Qt::TextAlignmentRole:
            return QVariant((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case FieldsRole: {
            QStringList names;
            for (const Field<Row>& field : column.fields)
                names += QString::fromLatin1(field.name);
            return names;
        }
        default:
            return {};
        }
    }

private:
    static QVariantList fieldsOf(const Column<Row>& column, const Row& row) {
        QVariantList values;
        for (const Field<Row>& field : column.fields)
            values.append(field.value(row)); // append: a list is one value of it
        return values;
    }

    std::vector<Column<Row>> m_columns;
    std::vector<Row> m_rows;
};

} // namespace ddp::ui
