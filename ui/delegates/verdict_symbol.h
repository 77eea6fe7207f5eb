// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"
#include "ui/session/run_record.h"

#include <QPixmap>
#include <QRectF>

class QPainter;

namespace ddp::ui {

/// Each has a form of its own, so that no meaning hangs on a colour.
enum class Symbol { Pass, Fail, Unknown, Running, Waiting, Stopped, Broken, Warning, Info, Cause };

Symbol symbolOf(RunStatus status);
QColor symbolColor(Symbol symbol, const Colors& colors);
/// A square of `size` pixels with the symbol, for a label or a button that stands in the window.
QPixmap symbolPixmap(Symbol symbol, const Colors& colors, int size, qreal ratio);
/// Fills a square in the middle of `area`.
void drawSymbol(QPainter& painter, const QRectF& area, Symbol symbol, const QColor& color,
                const QColor& paper);

} // namespace ddp::ui
