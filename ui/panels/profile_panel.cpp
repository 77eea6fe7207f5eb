// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/profile_panel.h"

#include <QLocale>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kExclusive = 1;
constexpr int kShareBar = 3;

} // namespace

ProfilePanel::ProfilePanel(const Parts& parts)
    : WindowPanel(parts, u"profile"_s, tr("Profile of the visible window")),
      m_rows(new RowsModel<ProfileTableRow>(profileColumns(), this)) {
    setModel(*m_rows, kShareBar, m_rows->columnCount() - 1);
    sortBy(kExclusive, Qt::DescendingOrder);
}

bool ProfilePanel::ready() const {
    return analysis().evidence() != nullptr;
}

void ProfilePanel::ask() {
    askRun(
        tr("Profile of the visible window"),
        [evidence = analysis().evidence()](const RunAnalysis& run, TimeRange window,
                                           const std::stop_token& stop) {
            return profileTable(*run.store(), evidence->groups, window, stop);
        },
        [this](TimeRange window, ProfileTable table) {
            const QString all = QLocale().toString(static_cast<qulonglong>(table.regions));
            const QString note =
                table.regions > table.rows.size()
                    ? tr("The %1 regions with the longest exclusive time of %2.")
                          .arg(QLocale().toString(static_cast<qulonglong>(table.rows.size())), all)
                    : tr("%1 regions, summed over all ranks; kernels that overlap on a stream count twice.")
                          .arg(all);
            m_rows->setRows(std::move(table.rows));
            say(window, note,
                tr("No region runs in the visible window. Zoom out (S), or press F for the whole trace."));
        });
}

} // namespace ddp::ui
