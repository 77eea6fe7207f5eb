// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace_session.h"

#include "core/analysis/run_analysis.h"
#include "ui/session/kept_clocks.h"

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

const auto kClocksPart = u"clocks"_s; // of what is remembered of a run

} // namespace

// With the clocks that the analysis rests on, so that what is drawn and what is counted are in one time.
Result<TraceSession::Opened> TraceSession::refined(std::shared_ptr<const TraceStore> asRead,
                                                   const std::shared_ptr<const TraceStore>& store,
                                                   const ClassRules& rules, TaskContext& context) {
    auto classification = std::make_shared<const Classification>(classify(*store, rules));
    auto clocked = refineClocks(store, classification->classes, context.stop);
    if (context.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "The clocks were not compared.");
    return Opened{std::move(asRead), std::move(clocked), std::move(classification)};
}

QString runTitle(const std::vector<std::filesystem::path>& paths) {
    const std::filesystem::path& first = paths.front();
    const std::filesystem::path name =
        first.filename().empty() ? first.parent_path().filename() : first.filename();
    const QString title = QString::fromStdString(name.string());
    return paths.size() > 1 ? TraceSession::tr("%1 and %2 more").arg(title).arg(paths.size() - 1) : title;
}

TraceSession::TraceSession(TaskRunner& runner, QObject* parent) : QObject(parent), m_runner(runner) {}

void TraceSession::open(const std::vector<std::filesystem::path>& paths, const QString& title, bool keep) {
    OpenOptions options;
    options.cache = keep;
    read(paths, title, options);
}

void TraceSession::read(const std::vector<std::filesystem::path>& paths, const QString& title,
                        const OpenOptions& options) {
    m_runner.drop(m_verifySlot);
    const KeptClocks kept = KeptClocks::from(m_memory ? m_memory->part(paths, kClocksPart) : QJsonObject());
    m_runner.start(
        m_slot, tr("Reading the trace of %1").arg(title),
        [paths, options, rules = m_rules, kept](TaskContext& context) -> Result<Opened> {
            auto store = openRun(paths, options, context.stop, context.progress);
            if (!store)
                return forward(store);
            return refined(*store, kept.applied(*store), rules, context);
        },
        this,
        [this, paths, title, options, age = m_rulesAge](Result<Opened> answer) {
            if (!answer) {
                if (answer.error().code != ErrorCode::Cancelled)
                    Q_EMIT failed(QString::fromStdString(answer.error().message));
                return;
            }
            m_runner.drop(m_clockSlot);
            m_title = title;
            m_paths = paths;
            m_reason.clear();
            take(std::move(*answer));
            if (age != m_rulesAge)
                layAnew(m_asRead);
            if (options.cache && !options.renew)
                verify(paths, options);
        });
}

void TraceSession::show(const TraceSession& other) {
    m_rules = other.m_rules;
    show({other.m_asRead, other.m_store, other.m_classification}, other.m_title);
}

void TraceSession::show(const std::shared_ptr<const RunAnalysis>& run, const QString& title) {
    show({run->store(), run->store(), std::make_shared<const Classification>(run->classification())}, title);
}

void TraceSession::show(Opened opened, const QString& title) {
    for (TaskSlot* slot : {&m_slot, &m_verifySlot, &m_clockSlot})
        m_runner.drop(*slot);
    m_title = title;
    m_paths.clear();
    m_reason.clear();
    take(std::move(opened));
}

/// Opening a large file does not wait for its checksums; a kept one that turns out to be damaged is read
/// again.
void TraceSession::verify(const std::vector<std::filesystem::path>& paths, const OpenOptions& options) {
    if (m_store->file().size() <= StoreFile::kSmallBytes)
        return; // done when it was opened
    m_runner.start(
        m_verifySlot, tr("Checking what was kept of %1").arg(m_title),
        [store = m_store](TaskContext& context) { return Result<bool>(store->verifyColumns(context.stop)); },
        this,
        [this, paths, options](Result<bool> intact) {
            if (intact && *intact)
                return;
            OpenOptions anew = options;
            anew.renew = true;
            read(paths, m_title, anew);
        });
}

void TraceSession::take(Opened opened) {
    m_asRead = std::move(opened.asRead);
    m_store = std::move(opened.store);
    m_classification = std::move(opened.classification);
    Q_EMIT changed();
}

void TraceSession::layAnew(const std::shared_ptr<const TraceStore>& store) {
    m_runner.start(
        m_clockSlot, tr("Comparing the clocks of %1").arg(m_title),
        [asRead = m_asRead, store, rules = m_rules](TaskContext& context) {
            return refined(asRead, store, rules, context);
        },
        this,
        [this](Result<Opened> answer) {
            if (answer)
                take(std::move(*answer));
        });
}

void TraceSession::setRules(ClassRules rules) {
    m_rules = std::move(rules);
    ++m_rulesAge;
    if (!m_store)
        return;
    // What the user set by hand stays; everything else is found again, from what other rules may find.
    const bool byHand = std::ranges::any_of(
        m_store->ranks(), [](const RankInfo& rank) { return rank.clock.quality == ClockQuality::Manual; });
    layAnew(byHand ? m_store : m_asRead);
}

void TraceSession::setClocks(const std::vector<ClockInfo>& clocks) {
    if (!m_store || clocks.size() != m_store->ranks().size())
        return;
    if (m_memory && !m_paths.empty())
        m_memory->setPart(m_paths, kClocksPart, KeptClocks::of(*m_asRead, clocks).toJson());
    layAnew(m_store->withClocks(clocks));
}

void TraceSession::close(const QString& reason) {
    m_runner.drop(m_slot);
    m_runner.drop(m_verifySlot);
    m_runner.drop(m_clockSlot);
    m_asRead.reset();
    m_store.reset();
    m_classification.reset();
    m_title.clear();
    m_paths.clear();
    m_reason = reason;
    Q_EMIT changed();
}

} // namespace ddp::ui
