// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"
#include "ui/session/palette.h"

#include <QByteArray>
#include <QImage>
#include <QRect>
#include <QSize>
#include <QString>

#include <optional>

class QCPPainter;

namespace ddp::ui {

class TimelineCanvas;

enum class PictureFormat { Png, Svg, Pdf };

/// By the ending of the file; nothing for another one.
std::optional<PictureFormat> pictureFormat(const QString& file);
/// What is said of another one.
QString pictureFormatProblem(const QString& file);

/// "two-ranks – 2 ranks, 10 lanes, 1,024 slices".
QString runText(const QString& title, const TraceStore& store);

/// What a canvas shows, as a picture that can stand alone: the run, the window and the legend above it.
/// Without mouse and focus. To be used in the UI thread, like the canvas.
class TimelinePicture {
public:
    /// `title`: of the run.
    TimelinePicture(TimelineCanvas& canvas, const Palette& palette, const QString& title);

    static int headHeight(const QFontMetrics& metrics);
    QSize size() const; ///< of the canvas, and the head above it
    /// `scale` times as many pixels in each direction; null when there is no memory for it.
    QImage image(double scale) const;
    /// Svg or Pdf.
    QByteArray vector(PictureFormat format) const;

private:
    void paint(QCPPainter& painter, bool clips = true) const;
    void paintHead(QCPPainter& painter) const;
    void paintLegend(QCPPainter& painter, QRect room) const;
    QByteArray svg() const;
    QByteArray pdf() const;

    TimelineCanvas& m_canvas;
    const Palette& m_palette;
    QString m_title;
};

/// Any thread.
QByteArray pngOf(const QImage& image);

} // namespace ddp::ui
