// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/job_log_view.h"

#include "ui/models/job_rows.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/log_reader.h"
#include "ui/panels/log_text.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::JobRecord;
using remote::JobState;

namespace {

constexpr int kFollowMs = 2000;
constexpr std::size_t kFileLimit = 1u << 20; // the Log dock has all of it
constexpr qsizetype kLongest = 2 << 20;      // letters of what is followed

QString headingOf(const QString& file) {
    return u"── %1 ──\n"_s.arg(file);
}

/// What the tasks and the script printed, one after the other.
Result<QString> printedText(const std::filesystem::path& folder, TaskContext& context) {
    QString text;
    for (const QString& file : logFiles(folder)) {
        if (!file.endsWith(u".out"_s) && !file.endsWith(u".err"_s))
            continue;
        auto part = readLogPart(folder / file.toStdString(), 1, LogAnchor::Top, kFileLimit, context.stop,
                                context.progress);
        if (!part)
            return forward(part);
        if (part->text.trimmed().isEmpty())
            continue;
        text += headingOf(file) + part->text;
        if (!text.endsWith(u'\n'))
            text += u'\n';
    }
    if (text.isEmpty())
        return fail(ErrorCode::Unreadable, "The job printed nothing.");
    return text;
}

} // namespace

JobLogView::JobLogView(ClusterSession& session, TaskRunner& runner, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_session(session), m_runner(runner), m_pages(new QStackedWidget), m_empty(new QLabel),
      m_title(new ElidedLabel(Qt::ElideRight)), m_text(new LogText(palette)) {
    m_text->setObjectName(u"jobLogText"_s);
    m_text->setAccessibleName(tr("What the job prints"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_title->setObjectName(u"jobLogTitle"_s);
    m_title->setContentsMargins(8, 7, 8, 6);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(filled);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    m_timer.setInterval(kFollowMs);
    connect(&m_timer, &QTimer::timeout, this, &JobLogView::ask);
    connect(&m_session, &ClusterSession::jobsChanged, this, &JobLogView::refresh);
    connect(&m_session, &ClusterSession::jobLog, this, &JobLogView::takeLog);
    say(tr("Select a job to see what it prints."));
}

void JobLogView::showJob(const QString& id) {
    if (id == m_id)
        return;
    m_id = id;
    m_file.clear();
    m_fromFile = false;
    m_runner.drop(m_slot);
    m_session.followLog(id);
    m_text->setText({}, 1);
    if (id.isEmpty())
        say(tr("Select a job to see what it prints."));
    refresh();
}

void JobLogView::setSeen(bool seen) {
    m_seen = seen;
    refresh();
}

void JobLogView::say(const QString& sentence) {
    m_empty->setText(sentence);
    m_pages->setCurrentIndex(0);
}

void JobLogView::refresh() {
    const JobRecord* job = m_session.job(m_id);
    const bool follows = job && m_seen && !isFinal(job->state) && job->started;
    if (follows && !m_timer.isActive()) {
        m_timer.start();
        ask();
    } else if (!follows) {
        m_timer.stop();
    }
    if (!job)
        return;
    m_title->setFullText(u"%1 · %2"_s.arg(QString::fromStdString(job->request.node),
                                          jobStateText(*job, QDateTime::currentDateTime())));
    if (job->state == JobState::Judged && !m_fromFile && !job->runFolder.empty())
        readFiles(*job);
    else if (m_text->document()->isEmpty())
        say(jobSentence(*job));
}

void JobLogView::ask() {
    m_session.askLog();
}

/// The files of a job are shown in one view, as they grow; a heading says which one goes on.
void JobLogView::takeLog(const QString& id, const std::vector<remote::TailText>& pieces,
                         const QString& problem) {
    m_title->setToolTip(problem);
    if (id != m_id || m_fromFile)
        return;
    for (const remote::TailText& piece : pieces) {
        if (piece.text.empty() || m_text->document()->characterCount() > kLongest)
            continue;
        if (m_text->document()->isEmpty())
            m_text->followEnd();
        if (piece.file != std::exchange(m_file, piece.file))
            m_text->append(headingOf(QString::fromStdString(piece.file)));
        m_text->append(QString::fromStdString(piece.text));
        m_pages->setCurrentIndex(1);
    }
}

void JobLogView::readFiles(const JobRecord& job) {
    m_fromFile = true;
    m_runner.start(
        m_slot, tr("Reading what %1 printed").arg(m_id),
        [folder = job.runFolder](TaskContext& context) { return printedText(folder, context); }, this,
        [this](const Result<QString>& text) {
            if (!text) {
                say(QString::fromStdString(text.error().message));
                return;
            }
            m_text->setText(*text, 1);
            m_pages->setCurrentIndex(1);
        });
}

} // namespace ddp::ui
