// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/go_to_target.h"

#include "ui/session/duration_input.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(GoTo)
};

tl::unexpected<Error> refuse(const QString& sentence) {
    return fail(ErrorCode::Usage, sentence.toStdString());
}

} // namespace

Result<GoToTarget> parseGoTo(const QString& text, TimeRange extent) {
    QString compact = text.toLower();
    compact.removeIf([](QChar letter) { return letter.isSpace(); });
    static const QRegularExpression kStep(u"^(?:goto)?step#?(\\d{1,9})$"_s);
    static const QRegularExpression kNumber(u"^[\\d.]+$"_s);
    if (const auto step = kStep.match(compact); step.hasMatch())
        return GoToTarget{{}, step.captured(1).toUInt()};
    if (kNumber.match(compact).hasMatch())
        return refuse(Texts::tr("%1 has no unit: add ns, µs, ms, s or min.").arg(text.trimmed()));
    const auto time = compact.startsWith(u'+') ? std::nullopt : cutDurationFrom(compact);
    if (!time || time->count < 0)
        return refuse(Texts::tr("Type a time with its unit, such as 1.25 s, 350 ms or 12345 ns, or a step, "
                                "such as step 12."));
    const Nanoseconds at = *time;
    if (at < extent.begin || at > extent.end)
        return refuse(Texts::tr("%1 is outside the run, which goes from %2 to %3.")
                          .arg(text.trimmed(), pointText(extent.begin), pointText(extent.end)));
    return GoToTarget{at, {}};
}

} // namespace ddp::ui
