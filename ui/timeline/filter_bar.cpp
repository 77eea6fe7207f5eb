// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/filter_bar.h"

#include "ui/panels/flow_layout.h"
#include "ui/session/duration_input.h"
#include "ui/session/time_text.h"
#include "ui/timeline/filter_chip.h"
#include "ui/timeline/timeline_canvas.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSettleMs = 100;

} // namespace

FilterBar::FilterBar(TimelineCanvas& canvas, const ViewState& view, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_canvas(canvas), m_palette(palette), m_chips(new QWidget),
      m_chipLine(new FlowLayout(6, m_chips)), m_clear(new QToolButton), m_fields(new QWidget),
      m_problem(new QLabel), m_notice(new QWidget(&canvas)) {
    setObjectName(u"filterBar"_s);
    m_clear->setObjectName(u"filterClear"_s);
    m_clear->setText(tr("Clear all"));
    m_clear->setAutoRaise(true);
    m_clear->setToolTip(tr("Removes all filters."));
    m_chipLine->setContentsMargins(8, 0, 8, 4);
    m_chipLine->addWidget(m_clear);
    buildFields();
    buildNotice();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_fields);
    column->addWidget(m_chips);
    m_fields->hide();
    m_chips->hide();
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettleMs);
    connect(&m_settled, &QTimer::timeout, &m_canvas, &TimelineCanvas::refilter);
    connect(&view, &ViewState::visibleChanged, this, [this] {
        if (m_canvas.filter().hideIdle)
            m_settled.start();
    });
    connect(m_clear, &QToolButton::clicked, this, &FilterBar::clearAll);
    connect(&m_canvas, &TimelineCanvas::rowsChanged, this, &FilterBar::showNotice);
    connect(&m_canvas, &TimelineCanvas::filterChanged, this, &FilterBar::takeFilter);
}

void FilterBar::buildFields() {
    auto* grid = new QGridLayout(m_fields);
    grid->setContentsMargins(8, 0, 8, 6);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    m_lanes = addText(*grid, 0, u"filterLanes"_s, tr("Lanes"), tr("rank 0, node01, stream 7, …"),
                      tr("Shows the lanes whose rank, host, device, stream or name contains this; several "
                         "texts are separated by commas."));
    m_kinds =
        addChoice(u"filterKinds"_s, tr("Kind of lanes"),
                  {tr("All lanes"), tr("Only devices"), tr("Only host threads"), tr("Only other lanes")},
                  tr("Shows the streams of accelerators, or the threads of the host, or what is neither."));
    m_idle = addSwitch(u"filterIdle"_s, tr("Hide idle"),
                       tr("Hides lanes that have no slice in the visible window. It is looked at again when "
                          "the window has come to rest. Lanes without any slice are never shown."));
    grid->addWidget(m_kinds, 0, 2);
    grid->addWidget(m_idle, 0, 3);
    m_regions = addText(*grid, 1, u"filterRegions"_s, tr("Regions"), tr("all_reduce, gemm, …"),
                        tr("Keeps the slices whose region has this in its name; several texts are separated "
                           "by commas. Where several slices share a column of the picture, the longest one "
                           "decides: zoom in to see the others."));
    QStringList classes{tr("Any class")};
    for (int work = 0; work <= static_cast<int>(WorkClass::Other); ++work)
        classes += workText(static_cast<WorkClass>(work));
    m_work = addChoice(u"filterClass"_s, tr("Class of slices"), classes,
                       tr("Keeps the slices of this class. Where several slices share a column of the "
                          "picture, the longest one decides."));
    m_others = addChoice(u"filterOthers"_s, tr("Other slices"), {tr("Pale others"), tr("Hide others")},
                         tr("What happens to the slices that the two fields before leave out."));
    grid->addWidget(m_work, 1, 2);
    grid->addWidget(m_others, 1, 3);
    m_shortest = addText(*grid, 2, u"filterShortest"_s, tr("From"), tr("20 µs"),
                         tr("Hides slices that are shorter than this. Where several slices share a column of "
                            "the picture, they are drawn as long as the longest of them is long enough."));
    m_order = addSwitch(u"filterOrder"_s, tr("Most exposed rank first"),
                        tr("Sorts the ranks by their exposed communication in the whole run, whichever part "
                           "of it is visible, so that ranks keep their places while you zoom."));
    grid->addWidget(m_order, 2, 2, 1, 2);
    m_problem->setObjectName(u"filterProblem"_s);
    m_problem->hide();
    grid->addWidget(m_problem, 3, 1, 1, 3);
}

QLineEdit* FilterBar::addText(QGridLayout& grid, int row, const QString& name, const QString& title,
                              const QString& example, const QString& tip) {
    auto* label = new QLabel(title);
    auto* edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setPlaceholderText(example);
    edit->setClearButtonEnabled(true);
    edit->setToolTip(tip);
    edit->setAccessibleName(title);
    edit->setMinimumWidth(80);
    label->setBuddy(edit);
    label->setToolTip(tip);
    grid.addWidget(label, row, 0);
    grid.addWidget(edit, row, 1);
    connect(edit, &QLineEdit::textChanged, this, &FilterBar::takeFields);
    return edit;
}

QComboBox* FilterBar::addChoice(const QString& name, const QString& title, const QStringList& texts,
                                const QString& tip) {
    auto* choice = new QComboBox;
    choice->setObjectName(name);
    choice->addItems(texts);
    choice->setToolTip(tip);
    choice->setAccessibleName(title);
    connect(choice, &QComboBox::currentIndexChanged, this, &FilterBar::takeFields);
    return choice;
}

QToolButton* FilterBar::addSwitch(const QString& name, const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setCheckable(true);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(button, &QToolButton::toggled, this, &FilterBar::takeFields);
    return button;
}

/// Lies on the picture when the filter leaves nothing of it.
void FilterBar::buildNotice() {
    m_notice->setObjectName(u"filterNotice"_s);
    auto* text = new QLabel(tr("No lane fits the filter."));
    auto* clear = new QPushButton(tr("Clear all filters"));
    connect(clear, &QPushButton::clicked, this, &FilterBar::clearAll);
    auto* column = new QVBoxLayout(m_notice);
    column->addWidget(text, 0, Qt::AlignHCenter);
    column->addWidget(clear, 0, Qt::AlignHCenter);
    auto* room = new QVBoxLayout(&m_canvas);
    room->addWidget(m_notice, 0, Qt::AlignCenter);
    m_notice->hide();
}

void FilterBar::setOpen(bool open) {
    m_fields->setVisible(open);
    if (open)
        m_lanes->setFocus(Qt::OtherFocusReason);
    else
        m_canvas.setFocus(Qt::OtherFocusReason);
    Q_EMIT openChanged(open);
}

void FilterBar::setFilter(const LaneFilter& filter) {
    m_canvas.setFilter(filter);
    showFields(); // also what was typed and is no filter
}

void FilterBar::takeFilter() {
    if (!m_typing)
        showFields();
    showChips();
}

void FilterBar::takeFields() {
    LaneFilter filter;
    filter.lanes = m_lanes->text().trimmed();
    filter.kinds = static_cast<LaneKinds>(m_kinds->currentIndex());
    filter.hideIdle = m_idle->isChecked();
    filter.byExposed = m_order->isChecked();
    filter.regions = m_regions->text().trimmed();
    if (m_work->currentIndex() > 0)
        filter.work = static_cast<WorkClass>(m_work->currentIndex() - 1);
    filter.hideOthers = filter.picksRegions() && m_others->currentIndex() == 1;
    m_others->setEnabled(filter.picksRegions());
    const QString length = m_shortest->text().trimmed();
    const auto shortest = length.isEmpty() ? Nanoseconds(0) : durationFrom(length);
    m_problem->setVisible(!shortest || shortest->count < 0);
    m_problem->setText(tr("Write a length with its unit: 500 ns, 20 µs, 1.5 ms."));
    filter.shortest = std::max(Nanoseconds(0), shortest.value_or(m_canvas.filter().shortest));
    m_typing = true; // what is typed stays as it is typed
    m_canvas.setFilter(filter);
    m_typing = false;
}

void FilterBar::showFields() {
    const LaneFilter& filter = m_canvas.filter();
    const QSignalBlocker quiet[] = {QSignalBlocker(m_lanes), QSignalBlocker(m_kinds),
                                    QSignalBlocker(m_idle),  QSignalBlocker(m_regions),
                                    QSignalBlocker(m_work),  QSignalBlocker(m_others),
                                    QSignalBlocker(m_order), QSignalBlocker(m_shortest)};
    m_lanes->setText(filter.lanes);
    m_kinds->setCurrentIndex(static_cast<int>(filter.kinds));
    m_idle->setChecked(filter.hideIdle);
    m_order->setChecked(filter.byExposed);
    m_regions->setText(filter.regions);
    m_work->setCurrentIndex(filter.work ? static_cast<int>(*filter.work) + 1 : 0);
    m_others->setCurrentIndex(filter.hideOthers ? 1 : 0);
    m_others->setEnabled(filter.picksRegions());
    m_shortest->setText(filter.shortest.count > 0 ? durationText(filter.shortest) : QString());
    m_problem->hide();
}

void FilterBar::showChips() {
    for (QWidget* chip : m_chipViews) {
        m_chipLine->removeWidget(chip);
        chip->hide();
        chip->deleteLater(); // the click on its cross is still on the way
    }
    m_chipViews.clear();
    m_chipLine->removeWidget(m_clear);
    for (const FilterChip& chip : m_canvas.filter().chips()) {
        auto* view = new FilterChipView(chip, m_palette);
        connect(view, &FilterChipView::removed, this, [this](FilterPart part) {
            LaneFilter filter = m_canvas.filter();
            filter.clear(part);
            setFilter(filter);
        });
        m_chipLine->addWidget(view);
        view->show();
        m_chipViews.push_back(view);
    }
    m_chipLine->addWidget(m_clear);
    m_chips->setVisible(!m_chipViews.empty());
    updateGeometry();
}

void FilterBar::showNotice() {
    m_notice->setVisible(m_canvas.scene().store && m_canvas.filter().any() &&
                         m_canvas.scene().layout.rows().empty());
}

} // namespace ddp::ui
