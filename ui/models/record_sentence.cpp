// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/record_sentence.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("recordSentence", text);
}

/// Whole numbers without a decimal point; what is null is said to be unknown.
QString value(const QJsonValue& json) {
    if (json.isNull() || json.isUndefined())
        return tr("unknown");
    if (json.isBool())
        return json.toBool() ? tr("yes") : tr("no");
    return json.toVariant().toString();
}

QString withMessage(const QString& sentence, const QJsonValue& message) {
    const QString text = message.toString();
    return text.isEmpty() ? sentence : u"%1: %2"_s.arg(sentence, text);
}

QString stage(const QJsonObject& record) {
    const std::pair<QLatin1String, const char*> states[] = {
        {"begin"_L1, QT_TRANSLATE_NOOP("recordSentence", "stage %1 began")},
        {"end"_L1, QT_TRANSLATE_NOOP("recordSentence", "stage %1 ended")},
        {"failed"_L1, QT_TRANSLATE_NOOP("recordSentence", "stage %1 failed")},
        {"deadline"_L1, QT_TRANSLATE_NOOP("recordSentence", "stage %1 passed its deadline")}};
    const QString state = record["state"_L1].toString();
    for (const auto& [name, text] : states)
        if (state == name)
            return withMessage(tr(text).arg(value(record["stage"_L1])), record["message"_L1]);
    return {};
}

QString store(const QJsonObject& record) {
    QStringList peers;
    for (const QJsonValue& peer : record["peers"_L1].toArray())
        peers << (peer["tensors"_L1].isNull()
                      ? tr("rank %1 told nothing").arg(value(peer["rank"_L1]))
                      : tr("rank %1 has %2").arg(value(peer["rank"_L1]), value(peer["tensors"_L1])));
    return tr("parameter tensors in the store: %1").arg(peers.join(", "_L1));
}

QString canary(const QJsonObject& record) {
    if (!record["run"_L1].toBool())
        return tr("the canary collective was not run");
    QStringList parts;
    for (const QJsonValue& slot : record["slots"_L1].toArray()) {
        const QString received = slot["received"_L1].isNull() ? tr("nothing") : value(slot["received"_L1]);
        parts << tr("%1 from rank %2 (expected %3)")
                     .arg(received, value(slot["rank"_L1]), value(slot["expected"_L1]));
    }
    const QString got = tr("the canary collective received %1").arg(parts.join(", "_L1));
    return record["completed"_L1].toBool() ? got : tr("%1, and did not complete").arg(got);
}

QString device(const QJsonObject& record) {
    const QString name = record["name"_L1].toString();
    const QString facts =
        tr("%1, driver %2, volatile uncorrected ECC errors %3, row remap pending %4, failed %5")
            .arg(name.isEmpty() ? tr("no GPU") : name, value(record["driver_version"_L1]),
                 value(record["ecc_volatile_uncorrected"_L1]), value(record["row_remap_pending"_L1]),
                 value(record["row_remap_failed"_L1]));
    return name.isEmpty() ? withMessage(tr("no GPU"), record["note"_L1])
                          : withMessage(facts, record["note"_L1]);
}

QString sentenceOf(const QJsonObject& record) {
    const QString kind = record["kind"_L1].toString();
    if (kind == "start"_L1)
        return tr("started on %1, %2, device %3, libtorch %4")
            .arg(value(record["host"_L1]), value(record["backend"_L1]), value(record["device"_L1]),
                 value(record["torch_version"_L1]));
    if (kind == "device"_L1)
        return device(record);
    if (kind == "stage"_L1)
        return stage(record);
    if (kind == "facts"_L1)
        return tr("built %1 parameter tensors with %2 elements")
            .arg(value(record["tensors"_L1]), value(record["elements"_L1]));
    if (kind == "store"_L1)
        return store(record);
    if (kind == "canary"_L1)
        return canary(record);
    if (kind == "ddp_check"_L1)
        return withMessage(tr("libtorch's check %1").arg(value(record["state"_L1])), record["message"_L1]);
    if (kind == "step"_L1)
        return tr("step %1: loss %2, gradients equal: %3, parameters equal: %4")
            .arg(value(record["step"_L1]), value(record["loss"_L1]), value(record["gradients_equal"_L1]),
                 value(record["parameters_equal"_L1]));
    if (kind == "error"_L1)
        return tr("stage %1: %2").arg(value(record["stage"_L1]), value(record["what"_L1]));
    if (kind == "end"_L1)
        return withMessage(tr("ended with exit code %1 after %2 steps")
                               .arg(value(record["exit_code"_L1]), value(record["steps"_L1])),
                           record["reason"_L1]);
    return {};
}

} // namespace

QString recordSentence(const QString& line) {
    if (!line.startsWith(u'{'))
        return line;
    const QJsonObject record = QJsonDocument::fromJson(line.toUtf8()).object();
    const QString sentence = sentenceOf(record);
    return sentence.isEmpty() ? line : tr("rank %1: %2").arg(value(record["rank"_L1]), sentence);
}

} // namespace ddp::ui
