// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/findings_panel.h"

#include "ui/delegates/symbol_delegate.h"

#include <QTableView>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QString noteOf(const std::vector<FindingRow>& rows, TimeRange window) {
    const auto inside = std::ranges::count_if(rows, [window](const FindingRow& row) {
        return row.window && !row.window->clippedTo(window).empty();
    });
    if (rows.size() == 1)
        return FindingsPanel::tr("1 finding in the whole run.");
    return FindingsPanel::tr("%1 findings in the whole run, %2 with their evidence in the window.")
        .arg(rows.size())
        .arg(inside);
}

} // namespace

FindingsPanel::FindingsPanel(const Parts& parts)
    : WindowPanel(parts, u"findings"_s, tr("Findings")),
      m_rows(new RowsModel<FindingRow>(findingColumns(), this)) {
    setModel(*m_rows, -1, m_rows->columnCount() - 1);
    wrapRows();
    auto* symbols = new SymbolDelegate(
        palette(),
        [](const QModelIndex& index) -> std::optional<Symbol> {
            const QVariant symbol = index.data(SymbolRole);
            return symbol.isValid() ? std::optional(static_cast<Symbol>(symbol.toInt())) : std::nullopt;
        },
        &table());
    table().setItemDelegateForColumn(0, symbols);
}

bool FindingsPanel::ready() const {
    return analysis().evidence() != nullptr;
}

void FindingsPanel::ask() {
    askRun(
        tr("Findings"),
        [evidence = analysis().evidence()](const RunAnalysis& run, TimeRange, const std::stop_token&) {
            return findingRows(*run.store(), evidence->findings);
        },
        [this](TimeRange window, std::vector<FindingRow> rows) {
            const QString note = noteOf(rows, window);
            m_rows->setRows(std::move(rows));
            say(window, note, tr("Nothing in this run asks for attention."));
        });
}

void FindingsPanel::activate(int row) {
    const FindingRow finding = m_rows->row(row); // the rows are asked for anew when the window moves
    if (finding.window)
        view().setVisible(*finding.window);
    if (finding.rankIndex)
        view().showRank(*finding.rankIndex);
}

} // namespace ddp::ui
