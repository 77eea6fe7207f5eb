// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/slice_facts.h"
#include "ui/models/slice_links.h"
#include "ui/session/analysis_session.h"

#include <QWidget>

#include <map>
#include <memory>

class QFormLayout;
class QLabel;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace ddp::ui {

class FactTable;
class WrappedText;

/// All facts about the selected slice, and the ways from it to others; every value can be copied. What takes
/// a search comes a moment later.
class SliceDetails final : public QWidget {
    Q_OBJECT

public:
    SliceDetails(const TraceSession& session, const AnalysisSession& analysis, ViewState& view,
                 TaskRunner& runner, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildFilled();
    QWidget* buildButtons();
    QFormLayout* buildForm();
    void buildTables(QVBoxLayout& column);
    QToolButton* addButton(const QString& name, const QString& text, const QString& tip);
    QLabel* addRow(const QString& name, const QString& object);
    void setRow(QLabel* value, const QString& text);
    void setLink(QLabel* value, const QString& text, const std::optional<SliceRef>& target,
                 const QString& after = {});
    void refresh();
    void showFacts();
    void ask();
    void showLinks();
    void showLaunch();
    void showCollective();
    void goTo(const std::optional<SliceRef>& slice);

    const TraceSession& m_session;
    const AnalysisSession& m_analysis;
    ViewState& m_view;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    const RunAnalysis* m_launchesOf = nullptr;                                // never looked into
    std::map<std::size_t, std::shared_ptr<const LaunchedKernels>> m_launches; // by rank index
    SliceFacts m_facts;
    std::optional<SliceLinks> m_links;
    std::map<QLabel*, SliceRef> m_targets;

    QStackedWidget* m_pages;
    WrappedText* m_name = nullptr;
    QFormLayout* m_form = nullptr;
    QToolButton *m_previous = nullptr, *m_next = nullptr;
    QLabel *m_duration = nullptr, *m_self = nullptr, *m_begin = nullptr, *m_end = nullptr, *m_work = nullptr,
           *m_group = nullptr, *m_rank = nullptr, *m_device = nullptr, *m_stream = nullptr, *m_lane = nullptr,
           *m_depth = nullptr, *m_parent = nullptr, *m_launch = nullptr, *m_source = nullptr,
           *m_collective = nullptr;
    QLabel* m_attributesTitle = nullptr;
    RowsModel<AttributeRow>* m_attributes = nullptr;
    FactTable* m_attributeTable = nullptr;
    QLabel* m_partsTitle = nullptr;
    RowsModel<CollectivePartRow>* m_parts = nullptr;
    FactTable* m_partTable = nullptr;
};

} // namespace ddp::ui
