// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <initializer_list>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace ddp::ui {

/// What cells have beside their text.
enum RowsRole {
    KeyRole = Qt::UserRole, ///< what the column is sorted by; the number itself where the text is a number
    BarRole,                ///< ActivityParts, or a share from 0 to 1
    SymbolRole,
    PlaceRole, ///< of the row in what was set, however the table is sorted
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

/// Which of the rows comes at which place when they are sorted by `keys`, one per row: numbers before texts,
/// nulls first; equal ones stay as they are.
std::vector<std::size_t> sortedPlaces(const std::vector<QVariant>& keys, Qt::SortOrder order);

/// A table of typed rows. Texts are made when they are shown.
template <class Row>
class RowsModel final : public QAbstractTableModel {
public:
    explicit RowsModel(std::vector<Column<Row>> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

    /// Sorted as the rows before. As many rows as before keep their places, so that selection and scroll bar
    /// stay.
    void setRows(std::vector<Row> rows) {
        if (rows.size() == m_rows.size()) {
            m_rows = std::move(rows);
            arrange();
            if (!m_rows.empty())
                Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        beginResetModel();
        m_rows = std::move(rows);
        arrange();
        endResetModel();
    }
    /// The row that is shown at `place`.
    const Row& row(int place) const { return m_rows[m_places[static_cast<std::size_t>(place)]]; }

    /// By the keys of a column; -1: as the rows were set.
    void sort(int column, Qt::SortOrder order) override {
        Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        const std::vector<std::size_t> before = m_places;
        m_sorted = column < columnCount() ? column : -1;
        m_order = order;
        arrange();
        std::vector<int> now(m_places.size());
        for (std::size_t place = 0; place < m_places.size(); ++place)
            now[m_places[place]] = static_cast<int>(place);
        const QModelIndexList kept = persistentIndexList();
        QModelIndexList moved;
        for (const QModelIndex& index : kept)
            moved += this->index(now[before[static_cast<std::size_t>(index.row())]], index.column());
        changePersistentIndexList(kept, moved);
        Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    }

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
        case PlaceRole:
            return static_cast<qulonglong>(m_places[static_cast<std::size_t>(index.row())]);
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
    void arrange() {
        if (m_sorted < 0) {
            m_places.resize(m_rows.size());
            std::iota(m_places.begin(), m_places.end(), std::size_t{0});
            return;
        }
        const Column<Row>& column = m_columns[static_cast<std::size_t>(m_sorted)];
        std::vector<QVariant> keys;
        keys.reserve(m_rows.size());
        for (const Row& row : m_rows)
            keys.push_back(column.key    ? column.key(row)
                           : column.text ? QVariant(column.text(row))
                                         : QVariant());
        m_places = sortedPlaces(keys, m_order);
    }
    static QVariantList fieldsOf(const Column<Row>& column, const Row& row) {
        QVariantList values;
        for (const Field<Row>& field : column.fields)
            values.append(field.value(row)); // append: a list is one value of it
        return values;
    }

    std::vector<Column<Row>> m_columns;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_places; // which of them is shown where
    int m_sorted = -1;                 // column
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace ddp::ui
