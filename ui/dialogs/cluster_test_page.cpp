// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/cluster_test_page.h"

#include "ui/delegates/verdict_symbol.h"
#include "ui/session/ui_mailbox.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::TestState;
using remote::TestStepId;

namespace {

constexpr int kSymbol = 14;

QString titleOf(TestStepId id) {
    switch (id) {
    case TestStepId::Connect:
        return ClusterTestPage::tr("Connection");
    case TestStepId::HostKey:
        return ClusterTestPage::tr("Host key");
    case TestStepId::LogIn:
        return ClusterTestPage::tr("Log in");
    case TestStepId::Shell:
        return ClusterTestPage::tr("Shell");
    case TestStepId::Folder:
        return ClusterTestPage::tr("Folder for jobs");
    case TestStepId::Slurm:
        return ClusterTestPage::tr("Slurm");
    case TestStepId::Partition:
        return ClusterTestPage::tr("Partition");
    case TestStepId::Submit:
        return ClusterTestPage::tr("Submitting");
    case TestStepId::Worker:
        return ClusterTestPage::tr("Worker");
    case TestStepId::Clock:
        break;
    }
    return ClusterTestPage::tr("Clock");
}

struct Look {
    Symbol symbol;
    QString word; ///< for those who do not see the symbol
};

Look lookOf(TestState state) {
    switch (state) {
    case TestState::Running:
        return {Symbol::Running, ClusterTestPage::tr("running")};
    case TestState::Ok:
        return {Symbol::Pass, ClusterTestPage::tr("good")};
    case TestState::Warning:
        return {Symbol::Warning, ClusterTestPage::tr("warning")};
    case TestState::Failed:
        return {Symbol::Fail, ClusterTestPage::tr("failed")};
    case TestState::Skipped:
        break;
    }
    return {Symbol::Broken, ClusterTestPage::tr("not looked at")};
}

} // namespace

ClusterTestPage::ClusterTestPage(std::function<remote::Cluster()> cluster,
                                 std::shared_ptr<remote::Questions> questions, TaskRunner& runner,
                                 const Palette& palette)
    : m_cluster(std::move(cluster)), m_questions(std::move(questions)), m_runner(runner), m_palette(palette),
      m_grid(new QGridLayout), m_outcome(new QLabel), m_again(new QPushButton(tr("&Test again"))) {
    setTitle(tr("Does it work?"));
    setSubTitle(
        tr("Everything that a job needs is tried out; nothing is left behind but the folder for jobs."));
    m_outcome->setObjectName(u"clusterTestOutcome"_s);
    m_outcome->setWordWrap(true);
    m_again->setObjectName(u"clusterTestAgain"_s);
    m_grid->setContentsMargins(4, 4, 4, 4);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(8);
    m_grid->setColumnStretch(1, 1);
    auto* steps = new QWidget;
    auto* stepColumn = new QVBoxLayout(steps);
    stepColumn->setContentsMargins(0, 0, 0, 0);
    stepColumn->addLayout(m_grid);
    stepColumn->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(steps);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scroll, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_outcome, 1);
    row->addWidget(m_again);
    column->addLayout(row);
    connect(m_again, &QPushButton::clicked, this, &ClusterTestPage::start);
}

ClusterTestPage::~ClusterTestPage() {
    stop();
}

void ClusterTestPage::initializePage() {
    start();
}

void ClusterTestPage::cleanupPage() {
    stop();
}

void ClusterTestPage::stop() {
    if (m_mail)
        m_mail->close();
    m_runner.drop(m_slot);
}

void ClusterTestPage::start() {
    stop();
    m_result.reset();
    for (const auto& [id, line] : std::exchange(m_lines, {})) {
        delete line.symbol;
        delete line.text;
    }
    m_again->setEnabled(false);
    m_outcome->setText(tr("The test runs for some seconds; you may be asked to log in."));
    Q_EMIT completeChanged();
    m_mail = std::make_shared<UiMailbox>(*this);
    m_runner.start(
        m_slot, tr("Testing the cluster"),
        [cluster = m_cluster(), questions = m_questions, mail = m_mail,
         take = [this](const remote::TestStep& step) { takeStep(step); }](
            TaskContext& context) -> Result<std::shared_ptr<remote::ClusterTest>> {
            return std::make_shared<remote::ClusterTest>(
                remote::testCluster(cluster, *questions, context.stop, [&](const remote::TestStep& step) {
                    mail->deliver(mail, [take, step] { take(step); });
                }));
        },
        this, [this](Result<std::shared_ptr<remote::ClusterTest>> answer) { finish(std::move(answer)); });
}

void ClusterTestPage::takeStep(const remote::TestStep& step) {
    auto found = m_lines.find(step.id);
    if (found == m_lines.end()) {
        StepLine line{new QLabel, new QLabel};
        line.text->setObjectName(u"testStep%1"_s.arg(m_lines.size()));
        line.text->setWordWrap(true);
        line.text->setTextFormat(Qt::RichText);
        line.text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        const int row = static_cast<int>(m_lines.size());
        m_grid->addWidget(line.symbol, row, 0, Qt::AlignTop);
        m_grid->addWidget(line.text, row, 1);
        found = m_lines.emplace(step.id, line).first;
    }
    const Look look = lookOf(step.state);
    const StepLine& line = found->second;
    line.symbol->setPixmap(symbolPixmap(look.symbol, m_palette.colors(), kSymbol, devicePixelRatioF()));
    line.symbol->setAccessibleName(look.word);
    QString text = u"<b>%1</b> %2"_s.arg(titleOf(step.id).toHtmlEscaped(),
                                         QString::fromStdString(step.sentence).toHtmlEscaped());
    if (!step.todo.empty())
        text += u"<br>→ %1"_s.arg(QString::fromStdString(step.todo).toHtmlEscaped());
    line.text->setText(text);
    line.text->setAccessibleName(titleOf(step.id) + u", "_s + look.word);
}

void ClusterTestPage::finish(Result<std::shared_ptr<remote::ClusterTest>> answer) {
    m_again->setEnabled(true);
    if (!answer) {
        m_outcome->setText(QString::fromStdString(answer.error().message));
        return;
    }
    m_result = *answer;
    for (const remote::TestStep& step : m_result->steps)
        takeStep(step);
    m_outcome->setText(
        m_result->usable()
            ? tr("Jobs can run there.")
            : tr("Something is missing. Go back to change it, or finish and see to it later."));
    Q_EMIT completeChanged();
    Q_EMIT tested();
}

} // namespace ddp::ui
