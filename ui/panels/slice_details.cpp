// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/slice_details.h"

#include "ui/panels/fact_table.h"
#include "ui/panels/wrapped_text.h"
#include "ui/session/lane_filter.h"
#include "ui/session/slice_colors.h"
#include "ui/session/time_text.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kLongestName = 2'000; // letters; a label has to lay them all out

QLabel* heading(const QString& name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setContentsMargins(10, 4, 10, 0);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

/// Labels break only between words, and names of regions have none.
QString breakable(QString name) {
    static const QRegularExpression edge(u"([:_.,<(/])(?=\\w)"_s);
    return name.replace(edge, u"\\1\u200b"_s);
}

QString sizeText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

QString confidenceText(const CollectiveInstance& instance) {
    if (instance.parts.size() == 1)
        return SliceDetails::tr("no other rank has a part of it");
    if (instance.confident)
        return SliceDetails::tr("its ranks fit together");
    return SliceDetails::tr("its ranks do not fit together, so waits are withheld");
}

} // namespace

SliceDetails::SliceDetails(const TraceSession& session, const AnalysisSession& analysis, ViewState& view,
                           TaskRunner& runner, QWidget* parent)
    : QWidget(parent), m_session(session), m_analysis(analysis), m_view(view), m_runner(runner),
      m_pages(new QStackedWidget) {
    setObjectName(u"sliceDetails"_s);
    auto* empty = new QLabel(tr("No slice is selected.\n\nClick a slice in the timeline to see its facts."));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setMargin(16);
    auto* scroll = new QScrollArea;
    scroll->setWidget(buildFilled());
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pages->addWidget(empty);
    m_pages->addWidget(scroll);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    connect(&m_view, &ViewState::selectionChanged, this, &SliceDetails::refresh);
    connect(&m_session, &TraceSession::changed, this, &SliceDetails::refresh);
    connect(&m_analysis, &AnalysisSession::changed, this, &SliceDetails::refresh);
    refresh();
}

QWidget* SliceDetails::buildFilled() {
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 8, 0, 8);
    column->setSpacing(6);
    m_name = new WrappedText(u"sliceName"_s, tr("Name"));
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    auto* nameLine = new QVBoxLayout;
    nameLine->setContentsMargins(10, 0, 10, 0);
    nameLine->addWidget(m_name);
    column->addLayout(nameLine);
    column->addWidget(buildButtons());
    column->addLayout(buildForm());
    buildTables(*column);
    column->addStretch();
    return filled;
}

QWidget* SliceDetails::buildButtons() {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(4);
    QToolButton* zoom = addButton(u"sliceZoom"_s, tr("Zoom to"), tr("Zooms the timeline to this slice."));
    m_previous = addButton(u"slicePrevious"_s, tr("◀ Previous"),
                           tr("Goes to the previous slice of the same region in this lane."));
    m_next = addButton(u"sliceNext"_s, tr("Next ▶"),
                       tr("Goes to the next slice of the same region in this lane."));
    QToolButton* copy = addButton(u"sliceCopy"_s, tr("Copy"), tr("Copies the name of the region."));
    for (QToolButton* button : {zoom, m_previous, m_next, copy})
        row->addWidget(button);
    row->addStretch();
    connect(zoom, &QToolButton::clicked, this, [this] {
        const Nanoseconds margin(m_facts.range.length().count / 10);
        m_view.setVisible({m_facts.range.begin - margin, m_facts.range.end + margin});
        goTo(m_view.selection());
    });
    connect(m_previous, &QToolButton::clicked, this, [this] { goTo(m_links->previous); });
    connect(m_next, &QToolButton::clicked, this, [this] { goTo(m_links->next); });
    connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_facts.name); });
    return line;
}

QToolButton* SliceDetails::addButton(const QString& name, const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QFormLayout* SliceDetails::buildForm() {
    m_form = new QFormLayout;
    m_form->setContentsMargins(10, 4, 10, 4);
    m_form->setHorizontalSpacing(14);
    m_form->setVerticalSpacing(6);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_duration = addRow(tr("Duration"), u"sliceDuration"_s);
    m_self = addRow(tr("Self time"), u"sliceSelf"_s);
    m_begin = addRow(tr("Begin"), u"sliceBegin"_s);
    m_end = addRow(tr("End"), u"sliceEnd"_s);
    m_work = addRow(tr("Class"), u"sliceClass"_s);
    m_group = addRow(tr("Group"), u"sliceGroup"_s);
    m_rank = addRow(tr("Rank"), u"sliceRank"_s);
    m_device = addRow(tr("Device"), u"sliceDevice"_s);
    m_stream = addRow(tr("Stream"), u"sliceStream"_s);
    m_lane = addRow(tr("Lane"), u"sliceLane"_s);
    m_depth = addRow(tr("Depth"), u"sliceDepth"_s);
    m_parent = addRow(tr("Called by"), u"sliceParent"_s);
    m_launch = addRow(tr("Launch"), u"sliceLaunch"_s);
    m_source = addRow(tr("Source"), u"sliceSource"_s);
    return m_form;
}

QLabel* SliceDetails::addRow(const QString& name, const QString& object) {
    auto* value = new QLabel;
    value->setObjectName(object);
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard |
                                   Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    value->setAccessibleName(name);
    value->setMinimumWidth(60);
    connect(value, &QLabel::linkActivated, this, [this, value] {
        if (const auto target = m_targets.find(value); target != m_targets.end())
            goTo(SliceRef(target->second));
    });
    m_form->addRow(name, value);
    return value;
}

void SliceDetails::buildTables(QVBoxLayout& column) {
    m_partsTitle = heading(u"sliceCollectiveTitle"_s);
    m_partsTitle->setText(tr("Its collective"));
    m_collective = new QLabel;
    m_collective->setObjectName(u"sliceCollective"_s);
    m_collective->setWordWrap(true);
    m_collective->setContentsMargins(10, 0, 10, 0);
    m_collective->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_parts = new RowsModel<CollectivePartRow>(collectivePartColumns(), this);
    m_partTable = new FactTable(u"sliceParts"_s, tr("What each rank did in the collective"), *m_parts);
    m_partTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    connect(m_partTable, &QTableView::clicked, this,
            [this](const QModelIndex& index) { goTo(m_parts->row(index.row()).slice); });
    m_attributesTitle = heading(u"sliceAttributesTitle"_s);
    m_attributesTitle->setText(tr("Attributes and parameters"));
    m_attributes = new RowsModel<AttributeRow>(attributeColumns(), this);
    m_attributeTable = new FactTable(u"sliceAttributes"_s, tr("Attributes of the slice"), *m_attributes);
    for (QWidget* part : std::initializer_list<QWidget*>{m_partsTitle, m_collective, m_partTable,
                                                         m_attributesTitle, m_attributeTable})
        column.addWidget(part);
}

void SliceDetails::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_form)
        refresh(); // a link keeps the colour that it was made with
}

void SliceDetails::setRow(QLabel* value, const QString& text) {
    m_targets.erase(value);
    value->setTextFormat(Qt::PlainText);
    value->setText(text);
    m_form->setRowVisible(value, !text.isEmpty());
}

void SliceDetails::setLink(QLabel* value, const QString& text, const std::optional<SliceRef>& target,
                           const QString& after) {
    if (!target)
        return setRow(value, text);
    value->setTextFormat(Qt::RichText);
    value->clear(); // the same text again would keep the colour of a link
    value->setText(u"<a href=\"slice\">%1</a>%2"_s.arg(breakable(text.left(kLongestName)).toHtmlEscaped(),
                                                       after.toHtmlEscaped()));
    m_form->setRowVisible(value, true);
    m_targets.insert_or_assign(value, *target);
}

void SliceDetails::goTo(const std::optional<SliceRef>& slice) {
    const auto& store = m_session.store();
    if (store && slice && hasSlice(*store, *slice))
        m_view.showSlice(*slice);
}

void SliceDetails::refresh() {
    m_runner.drop(m_slot);
    m_links.reset();
    if (m_launchesOf != m_analysis.run().get()) {
        m_launchesOf = m_analysis.run().get();
        m_launches.clear();
    }
    const auto& store = m_session.store();
    const bool valid = store && m_view.selection() && hasSlice(*store, *m_view.selection());
    m_pages->setCurrentIndex(valid ? 1 : 0);
    if (!valid)
        return;
    const auto& evidence = m_analysis.evidence();
    m_facts = sliceFacts(*store, *m_view.selection(), m_session.classification().get(),
                         evidence ? &evidence->groups : nullptr);
    showFacts();
    showLinks();
    ask();
}

void SliceDetails::showFacts() {
    m_name->setFullText(m_facts.name.left(kLongestName));
    m_name->setToolTip(
        u"<p>%1</p>"_s.arg(tr("In the trace: %1").arg(m_facts.rawName.left(kLongestName)).toHtmlEscaped()));
    const Nanoseconds length = m_facts.range.length();
    setRow(m_duration, length.count < 1000 ? durationText(length)
                                           : u"%1 (%2)"_s.arg(durationText(length), exactText(length)));
    setRow(m_begin, pointText(m_facts.range.begin));
    setRow(m_end, pointText(m_facts.range.end));
    setRow(m_work, m_facts.work ? workText(*m_facts.work) : tr("not known yet"));
    setRow(m_group, m_facts.group ? groupText(*m_facts.group) : tr("not known yet"));
    setRow(m_rank, m_facts.rank);
    setRow(m_device, m_facts.device);
    setRow(m_stream, m_facts.stream);
    setRow(m_lane, m_facts.lane);
    setRow(m_depth, QString::number(m_facts.depth));
    setLink(m_parent, m_facts.parent ? m_facts.parentName : tr("nothing, it is the outermost slice"),
            m_facts.parent);
    setRow(m_source, m_facts.source);
    m_attributes->setRows(m_facts.attributes);
    m_attributeTable->fit();
    m_attributesTitle->setVisible(!m_facts.attributes.empty());
    m_attributeTable->setVisible(!m_facts.attributes.empty());
}

void SliceDetails::ask() {
    const SliceRef slice = *m_view.selection();
    const std::size_t rank = m_session.store()->location(slice.location).rankIndex;
    // An analysis of another store is about to be made anew.
    const auto run =
        m_analysis.run() && m_analysis.run()->store() == m_session.store() ? m_analysis.run() : nullptr;
    m_runner.start(
        m_slot, tr("Looking for what belongs to the slice"),
        [store = m_session.store(), run, slice, launches = m_launches[rank]](TaskContext& context) {
            return Result<SliceLinks>(sliceLinks(*store, run.get(), slice, launches, context.stop));
        },
        this,
        [this, rank](Result<SliceLinks> links) {
            if (!links)
                return;
            m_launches[rank] = links->launches;
            m_links = std::move(*links);
            showLinks();
        });
}

void SliceDetails::showLinks() {
    setRow(m_self, m_links ? durationText(m_links->self) : tr("…"));
    m_previous->setEnabled(m_links && m_links->previous);
    m_next->setEnabled(m_links && m_links->next);
    showLaunch();
    showCollective();
}

void SliceDetails::showLaunch() {
    if (!m_links || !m_links->launch)
        return setRow(m_launch, {});
    const SliceLaunch& launch = *m_links->launch;
    if (!launch.other) {
        const QString why = launch.why == "no_launches" ? tr("the trace has no launches of this rank")
                            : launch.why == "counts_differ"
                                ? tr("launches and kernels of the rank differ in number")
                                : tr("nothing links it to the other side");
        return setRow(m_launch, tr("not known: %1").arg(why));
    }
    QString after = launch.isKernel ? tr(" on the host, %1 before it began")
                                    : tr(" on the device, %1 after this call began");
    after = after.arg(durationText(launch.delay.value_or(Nanoseconds(0))));
    if (launch.kernels > 1)
        after += tr(", the first of %1 kernels").arg(launch.kernels);
    after += launch.rule == PhaseRule::ByOrder ? tr(" (by order)") : tr(" (by number)");
    setLink(m_launch, launch.name, launch.other, after);
}

void SliceDetails::showCollective() {
    const bool any = m_links && m_links->collective;
    for (QWidget* part : std::initializer_list<QWidget*>{m_partsTitle, m_collective, m_partTable})
        part->setVisible(any);
    if (!any)
        return;
    const SliceCollective& collective = *m_links->collective;
    const CollectiveInstance& instance = collective.instance;
    QStringList facts{tr("number %1 of the run").arg(collective.index)};
    if (instance.step)
        facts += tr("step %1").arg(*instance.step);
    if (instance.bytes)
        facts += sizeText(*instance.bytes);
    if (instance.transfer)
        facts += tr("transfer %1").arg(durationText(*instance.transfer));
    if (instance.parts.size() > 1) {
        facts += instance.skew ? tr("skew %1").arg(durationText(*instance.skew)) : tr("skew not known");
        if (!collective.lateRank.isEmpty())
            facts += tr("rank %1 is late").arg(collective.lateRank);
    }
    m_collective->setText(u"%1; %2."_s.arg(facts.join(u", "_s), confidenceText(instance)));
    m_parts->setRows(collective.parts);
    m_partTable->fit();
}

} // namespace ddp::ui
