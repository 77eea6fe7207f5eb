// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view_options.h"

#include "ui/dialogs/clocks_dialog.h"
#include "ui/dialogs/rules_dialog.h"
#include "ui/timeline/filter_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace ddp::ui {

using namespace Qt::StringLiterals;

ViewOptions::ViewOptions(const Parts& parts, QObject* parent)
    : QObject(parent), m_parts(parts),
      m_rulesFile(Settings::besides(parts.settingsFile, u"class_rules.json"_s)) {
    connect(&m_parts.analysis, &AnalysisSession::changed, this, &ViewOptions::recolor);
    recolor();
}

void ViewOptions::addTo(QMenu& view) {
    QAction* filter = view.addAction(tr("&Filter…"), QKeySequence(u"Ctrl+Shift+F"_s), this,
                                     [this] { m_parts.timeline.filterBar().setOpen(true); });
    filter->setObjectName(u"showFilter"_s);
    filter->setToolTip(tr("Shows the fields that filter lanes and slices (Ctrl+Shift+F)."));
    addColors(view);
    QAction* rules = view.addAction(tr("&Rules…"), this, &ViewOptions::showRules);
    rules->setObjectName(u"showRules"_s);
    rules->setToolTip(tr("Your own rules for what regions count as, and for their colours."));
    QAction* clocks = view.addAction(tr("Cloc&ks…"), this, &ViewOptions::showClocks);
    clocks->setObjectName(u"showClocks"_s);
    clocks->setToolTip(tr("How the clocks of the ranks lie to each other."));
    const auto enable = [this, filter, clocks] {
        filter->setEnabled(m_parts.session.store() != nullptr);
        clocks->setEnabled(m_parts.session.store() != nullptr);
    };
    connect(&m_parts.session, &TraceSession::changed, this, enable);
    enable();
}

void ViewOptions::addColors(QMenu& view) {
    QMenu* menu = view.addMenu(tr("Colour slices &by"));
    auto* group = new QActionGroup(this);
    const struct {
        ColorBy by;
        QString name;
        QString text;
        QString tip;
    } choices[] = {
        {ColorBy::Class, u"colorByClass"_s, tr("&Class"), tr("Communication, compute, memory and the rest.")},
        {ColorBy::Region, u"colorByRegion"_s, tr("&Region"),
         tr("A colour for each name; communication keeps its own.")},
        {ColorBy::Group, u"colorByGroup"_s, tr("&Group"),
         tr("User code, MPI, CUDA and so on, as scorep-score groups regions.")},
    };
    for (const auto& choice : choices) {
        QAction* action = menu->addAction(choice.text, this, [this, by = choice.by] { setColorBy(by); });
        action->setObjectName(choice.name);
        action->setToolTip(choice.tip);
        action->setCheckable(true);
        action->setChecked(choice.by == m_parts.settings.colorBy);
        group->addAction(action);
    }
    menu->setToolTipsVisible(true);
}

void ViewOptions::setColorBy(ColorBy by) {
    m_parts.settings.colorBy = by;
    m_parts.settings.save(m_parts.settingsFile);
    recolor();
}

void ViewOptions::recolor() {
    SliceColoring coloring;
    coloring.by = m_parts.settings.colorBy;
    coloring.rules = ruleColors(m_rules);
    if (const auto& evidence = m_parts.analysis.evidence())
        coloring.groups = {evidence, &evidence->groups};
    m_parts.timeline.canvas().setColoring(coloring);
}

/// A file that is not understood is left as it is.
void ViewOptions::loadRules() {
    auto rules = ddp::ui::loadRules(m_rulesFile);
    auto parsed = rules ? classRules(*rules) : Result<ClassRules>(forward(rules));
    if (!parsed) {
        Q_EMIT failed(QString::fromStdString(parsed.error().message));
        return;
    }
    if (rules->empty())
        return;
    m_rules = std::move(*rules);
    m_parts.session.setRules(std::move(*parsed));
    recolor();
}

Result<void> ViewOptions::takeRules(const std::vector<UserRule>& rules) {
    auto parsed = classRules(rules);
    if (!parsed)
        return forward(parsed);
    if (auto saved = saveRules(rules, m_rulesFile); !saved)
        return saved;
    m_rules = rules;
    m_parts.session.setRules(std::move(*parsed));
    recolor();
    return {};
}

void ViewOptions::showRules() {
    auto* dialog = new RulesDialog(
        m_rules, m_parts.palette, m_rulesFile,
        [this](const std::vector<UserRule>& rules) { return takeRules(rules); }, &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void ViewOptions::showClocks() {
    auto* dialog = new ClocksDialog(m_parts.session, m_parts.runner, &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace ddp::ui
