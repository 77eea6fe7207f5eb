// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/worker_dialog.h"

#include "remote/cluster/connect.h"
#include "ui/session/ui_mailbox.h"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostLines = 5000;

QLabel* wrapped(const QString& text) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

WorkerDialog::WorkerDialog(const remote::Cluster& cluster, std::shared_ptr<remote::Questions> questions,
                           TaskRunner& runner, QWidget* parent)
    : QDialog(parent), m_cluster(cluster), m_questions(std::move(questions)), m_runner(runner),
      m_choice(new QButtonGroup(this)), m_file(new QLineEdit), m_said(new QPlainTextEdit),
      m_outcome(wrapped({})), m_start(new QPushButton(tr("&Set up"))) {
    setObjectName(u"workerDialog"_s);
    setWindowTitle(tr("Worker on %1").arg(QString::fromStdString(cluster.name)));
    m_said->setObjectName(u"workerSaid"_s);
    m_said->setAccessibleName(tr("What is being done"));
    m_said->setReadOnly(true);
    m_said->setMaximumBlockCount(kMostLines);
    m_outcome->setObjectName(u"workerOutcome"_s);
    m_start->setObjectName(u"workerStart"_s);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(m_start, QDialogButtonBox::ActionRole);
    buttons->addButton(QDialogButtonBox::Close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(
        wrapped(tr("The worker is the program that checks the nodes. It runs in the Python environment of "
                   "the cluster's setup lines, whose libtorch it is built with; that needs no rights of an "
                   "administrator and no internet.")));
    column->addWidget(buildChoices());
    column->addWidget(m_said, 1);
    column->addWidget(m_outcome);
    column->addWidget(buttons);
    connect(m_start, &QPushButton::clicked, this, &WorkerDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (!cluster.worker.empty())
        m_outcome->setText(tr("The worker now: %1").arg(QString::fromStdString(cluster.worker)));
    resize(620, 480);
    followChoice();
}

WorkerDialog::~WorkerDialog() {
    stop();
}

QWidget* WorkerDialog::buildChoices() {
    auto* choices = new QWidget;
    auto* column = new QVBoxLayout(choices);
    column->setContentsMargins(0, 4, 0, 4);
    const std::pair<Choice, QString> texts[] = {{OnLoginNode, tr("Build it on the &login node")},
                                                {InJob, tr("Build it in a &job")},
                                                {There, tr("It is on the &cluster already:")},
                                                {Here, tr("&Upload a program of this machine:")}};
    for (const auto& [choice, text] : texts) {
        auto* button = new QRadioButton(text);
        button->setObjectName(u"workerChoice%1"_s.arg(static_cast<int>(choice)));
        m_choice->addButton(button, choice);
        column->addWidget(button);
    }
    m_choice->button(OnLoginNode)->setChecked(true);
    m_file->setObjectName(u"workerFile"_s);
    m_file->setAccessibleName(tr("The worker's file"));
    m_file->setPlaceholderText(u"/path/to/ddpscope-worker"_s);
    column->addWidget(m_file);
    connect(m_choice, &QButtonGroup::idToggled, this, &WorkerDialog::followChoice);
    connect(m_file, &QLineEdit::textChanged, this, &WorkerDialog::followChoice);
    return choices;
}

void WorkerDialog::followChoice() {
    const bool file = m_choice->checkedId() == There || m_choice->checkedId() == Here;
    m_file->setEnabled(file);
    m_start->setEnabled(m_runner.running(m_slot) || !file || !m_file->text().trimmed().isEmpty());
}

remote::SetupRequest WorkerDialog::request() const {
    remote::SetupRequest request;
    switch (m_choice->checkedId()) {
    case InJob:
        request.place = remote::BuildPlace::Job;
        break;
    case There:
        request.origin = remote::WorkerOrigin::There;
        break;
    case Here:
        request.origin = remote::WorkerOrigin::Here;
        break;
    default:
        break;
    }
    request.file = m_file->text().trimmed().toStdString();
    return request;
}

void WorkerDialog::start() {
    if (m_runner.running(m_slot)) {
        stop();
        finish(fail(ErrorCode::Cancelled, "The set-up was stopped."));
        return;
    }
    m_said->clear();
    m_outcome->setText(tr("This may take some minutes."));
    m_mail = std::make_shared<UiMailbox>(*this);
    m_runner.start(
        m_slot, tr("Setting up the worker"),
        [cluster = m_cluster, questions = m_questions, wanted = request(), mail = m_mail,
         say = [this](const QString& line) { m_said->appendPlainText(line); }](
            TaskContext& context) -> Result<remote::SetupReport> {
            auto transport = remote::openCluster(cluster, *questions, context.stop);
            if (!transport)
                return forward(transport);
            return remote::setUpWorker(
                cluster, **transport, wanted, context.stop, [&](const std::string& line) {
                    mail->deliver(mail, [say, line] { say(QString::fromStdString(line)); });
                });
        },
        this, [this](const Result<remote::SetupReport>& report) { finish(report); });
    m_start->setText(tr("&Stop"));
    followChoice();
}

void WorkerDialog::stop() {
    if (m_mail)
        m_mail->close();
    m_runner.drop(m_slot);
}

void WorkerDialog::finish(const Result<remote::SetupReport>& report) {
    m_start->setText(tr("&Set up"));
    followChoice();
    if (!report) {
        m_outcome->setText(QString::fromStdString(report.error().message));
        return;
    }
    m_cluster.worker = report->worker;
    m_outcome->setText(
        tr("The worker is ready: %1 (%2)")
            .arg(QString::fromStdString(report->worker), QString::fromStdString(report->version)));
    accept();
}

void WorkerDialog::done(int result) {
    stop();
    QDialog::done(result);
}

} // namespace ddp::ui
