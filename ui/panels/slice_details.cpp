// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/slice_details.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_scene.h"

#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostChildren = 200'000; // more can not be added up while the user waits

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The slice's time without that of the slices directly below it.
std::optional<Nanoseconds> selfTime(const TraceStore& store, const SliceRef& slice) {
    const auto lanes = store.lanes(slice.location);
    const SliceLane& lane = lanes[slice.depth];
    const Nanoseconds begin = lane.begin(slice.row);
    const Nanoseconds end = lane.end(slice.row);
    Nanoseconds self = end - begin;
    if (slice.depth + 1 >= lanes.size())
        return self;
    const SliceLane& below = lanes[slice.depth + 1];
    const std::size_t first = below.firstEndingAfter(begin);
    for (std::size_t i = first; i < below.size() && below.begin(i) < end; ++i) {
        if (i - first > kMostChildren)
            return std::nullopt;
        if (below.parent(i) == slice.row)
            self = self - (below.end(i) - below.begin(i));
    }
    return self;
}

} // namespace

SliceDetails::SliceDetails(const TraceSession& session, const ViewState& view, QWidget* parent)
    : QWidget(parent), m_session(session), m_view(view), m_pages(new QStackedWidget) {
    auto* empty = new QLabel(tr("No slice is selected.\n\nClick a slice in the timeline to see its facts."));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    empty->setMargin(16);
    auto* filled = new QWidget;
    auto* form = new QFormLayout(filled);
    form->setContentsMargins(10, 10, 10, 10);
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_name = addRow(*form, tr("Name"));
    m_name->setObjectName(u"sliceName"_s);
    m_duration = addRow(*form, tr("Duration"));
    m_self = addRow(*form, tr("Self time"));
    m_begin = addRow(*form, tr("Begin"));
    m_end = addRow(*form, tr("End"));
    m_rank = addRow(*form, tr("Rank"));
    m_lane = addRow(*form, tr("Lane"));
    m_depth = addRow(*form, tr("Depth"));
    m_parent = addRow(*form, tr("Called by"));
    auto* scroll = new QScrollArea;
    scroll->setWidget(filled);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_pages->addWidget(empty);
    m_pages->addWidget(scroll);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    connect(&m_view, &ViewState::selectionChanged, this, &SliceDetails::refresh);
    connect(&m_session, &TraceSession::changed, this, &SliceDetails::refresh);
    refresh();
}

QLabel* SliceDetails::addRow(QFormLayout& form, const QString& name) {
    auto* value = new QLabel;
    value->setWordWrap(true);
    value->setTextFormat(Qt::PlainText);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    value->setAccessibleName(name);
    form.addRow(name, value);
    return value;
}

void SliceDetails::refresh() {
    const auto& store = m_session.store();
    const auto& slice = m_view.selection();
    // Between two traces a selection can still belong to the old one.
    const bool valid = store && slice && slice->location.index() < store->locations().size() &&
                       slice->depth < store->lanes(slice->location).size() &&
                       slice->row < store->lanes(slice->location)[slice->depth].size();
    m_pages->setCurrentIndex(valid ? 1 : 0);
    if (!valid)
        return;
    const auto lanes = store->lanes(slice->location);
    const SliceLane& lane = lanes[slice->depth];
    const LocationInfo& location = store->location(slice->location);
    const RankInfo& rank = store->ranks()[location.rankIndex];
    const Nanoseconds length = lane.end(slice->row) - lane.begin(slice->row);
    m_name->setText(textOf(store->regionName(lane.region(slice->row))));
    m_duration->setText(u"%1 (%2)"_s.arg(durationText(length), exactText(length)));
    const auto self = selfTime(*store, *slice);
    m_self->setText(self ? durationText(*self) : tr("too many slices below it to add up"));
    m_begin->setText(pointText(lane.begin(slice->row)));
    m_end->setText(pointText(lane.end(slice->row)));
    m_rank->setText(rank.host ? u"%1, %2"_s.arg(rankText(rank), QString::fromStdString(*rank.host))
                              : rankText(rank));
    m_lane->setText(QString::fromStdString(location.name));
    m_depth->setText(QString::number(slice->depth));
    const auto parent = lane.parent(slice->row);
    m_parent->setText(parent && slice->depth > 0
                          ? textOf(store->regionName(lanes[slice->depth - 1].region(*parent)))
                          : tr("nothing, it is the outermost slice"));
}

} // namespace ddp::ui
