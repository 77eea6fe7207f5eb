// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_row.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <string_view>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::slurm::Gres;
using remote::slurm::Node;
using remote::slurm::NodeBase;
using remote::slurm::NodeFlag;
using remote::slurm::NodeState;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("NodeRow", text);
}

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list += QString::fromStdString(word);
    return list.join(u", "_s);
}

std::uint64_t gpusIn(const std::vector<Gres>& all) {
    std::uint64_t count = 0;
    for (const Gres& gres : all)
        count += gres.name == "gpu" ? gres.count : 0;
    return count;
}

QString gpuText(const Node& node) {
    const std::uint64_t count = gpusIn(node.gres);
    if (count == 0)
        return {};
    QString text = tr("%1 of %2").arg(gpusIn(node.gresUsed)).arg(count);
    for (const Gres& gres : node.gres)
        if (gres.name == "gpu" && !gres.type.empty())
            text += u' ' + QString::fromStdString(gres.type);
    return text;
}

NodeRow rowOf(Node&& node) {
    NodeRow row;
    row.name = QString::fromStdString(node.name);
    row.state = QString::fromStdString(remote::slurm::nodeStateWords(node.state)).toLower();
    if (node.reason)
        row.reason = QString::fromStdString(node.reason->text);
    row.gpus = gpuText(node);
    row.gpuCount = gpusIn(node.gres);
    row.partitions = joined(node.partitions);
    row.words = QStringList{row.name,
                            row.state,
                            row.reason,
                            row.gpus,
                            row.partitions,
                            joined(node.features),
                            QString::fromStdString(node.hostName)}
                    .join(u'\n')
                    .toLower();
    row.use = nodeUse(node.state);
    row.takesJobs = remote::slurm::takesJobs(node.state);
    row.node = std::move(node);
    return row;
}

/// The number that starts at `at`, which is moved behind it.
QStringView digitsAt(const QString& text, qsizetype& at) {
    const qsizetype begin = at;
    while (at < text.size() && text[at].isDigit())
        ++at;
    return QStringView(text).mid(begin, at - begin);
}

QStringView withoutZeros(QStringView digits) {
    while (digits.size() > 1 && digits.front() == u'0')
        digits = digits.mid(1);
    return digits;
}

} // namespace

bool naturalLess(const QString& a, const QString& b) {
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].isDigit() && b[j].isDigit()) {
            const QStringView left = withoutZeros(digitsAt(a, i));
            const QStringView right = withoutZeros(digitsAt(b, j));
            if (left.size() != right.size())
                return left.size() < right.size();
            if (const int order = left.compare(right); order != 0)
                return order < 0;
            continue;
        }
        if (a[i] != b[j])
            return a[i] < b[j];
        ++i;
        ++j;
    }
    if ((i < a.size()) != (j < b.size()))
        return j < b.size();
    return a < b; // n01 and n1
}

NodeRows nodeRows(std::vector<Node> nodes) {
    NodeRows rows;
    rows.reserve(nodes.size());
    for (Node& node : nodes)
        rows.push_back(rowOf(std::move(node)));
    std::sort(rows.begin(), rows.end(),
              [](const NodeRow& a, const NodeRow& b) { return naturalLess(a.name, b.name); });
    int place = 0;
    for (NodeRow& row : rows)
        row.place = place++;
    return rows;
}

NodeUse nodeUse(const NodeState& state) {
    if (state.base == NodeBase::Down || state.base == NodeBase::Error || state.has(NodeFlag::Invalid) ||
        state.has(NodeFlag::NotResponding) || state.has(NodeFlag::Fail))
        return NodeUse::Broken;
    if (state.has(NodeFlag::Drain))
        return NodeUse::Drained;
    if (state.base == NodeBase::Unknown)
        return NodeUse::Unknown;
    if (!remote::slurm::takesJobs(state))
        return NodeUse::Reserved;
    return state.base == NodeBase::Idle && !state.has(NodeFlag::Completing) ? NodeUse::Idle : NodeUse::InUse;
}

QString nodeUseSentence(const NodeRow& row) {
    switch (row.use) {
    case NodeUse::Broken:
        return tr("The node is down, does not answer, or is not as it is configured: a job for it waits.");
    case NodeUse::Drained:
        return tr("The node is drained: it takes no new job until an administrator resumes it.");
    case NodeUse::Unknown:
        return tr("Slurm does not say what state the node is in.");
    case NodeUse::Reserved:
        return tr("The node is reserved, under maintenance or powered down: a job for it may wait long.");
    case NodeUse::InUse:
        return tr("The node is in use: a job for it starts when there is room.");
    case NodeUse::Idle:
        return tr("The node is free: a job for it starts at once.");
    }
    return {};
}

QString reasonText(const NodeRow& row) {
    if (!row.node.reason || row.reason.isEmpty())
        return {};
    QStringList origin;
    if (!row.node.reason->user.empty())
        origin += QString::fromStdString(row.node.reason->user);
    if (row.node.reason->time)
        origin +=
            QLocale().toString(QDateTime::fromSecsSinceEpoch(*row.node.reason->time), QLocale::ShortFormat);
    return origin.isEmpty() ? row.reason : u"%1 (%2)"_s.arg(row.reason, origin.join(u", "_s));
}

QString nodeToolTip(const NodeRow& row, const NodeCheck* check) {
    QString tip = u"<p><b>%1</b>: %2</p><p>%3</p>"_s.arg(row.name.toHtmlEscaped(), row.state.toHtmlEscaped(),
                                                         nodeUseSentence(row).toHtmlEscaped());
    if (const QString reason = reasonText(row); !reason.isEmpty())
        tip += u"<p>%1</p>"_s.arg(tr("Reason: %1").arg(reason).toHtmlEscaped());
    if (!row.gpus.isEmpty())
        tip += u"<p>%1</p>"_s.arg(tr("GPUs in use: %1").arg(row.gpus).toHtmlEscaped());
    if (!row.partitions.isEmpty())
        tip += u"<p>%1</p>"_s.arg(tr("Partitions: %1").arg(row.partitions).toHtmlEscaped());
    if (check && !check->word.isEmpty())
        tip += u"<p>%1</p>"_s.arg(
            tr("Newest check: %1, %2")
                .arg(check->cause.isEmpty() ? check->word : check->word + u": "_s + check->cause,
                     QLocale().toString(check->when, QLocale::ShortFormat))
                .toHtmlEscaped());
    return tip;
}

} // namespace ddp::ui
