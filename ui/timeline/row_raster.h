// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cstddef>

namespace ddp::ui {

/// The pixels of a brush: a colour, or a pattern that begins at the origin.
class BrushPixels {
public:
    explicit BrushPixels(const QBrush& brush);
    /// Fills a rectangle of a picture whose lines lie `stride` apart; `at` is its corner, which is at
    /// `first`.
    void fill(QRgb* at, std::ptrdiff_t stride, QPoint first, QSize size) const;

private:
    QImage m_tile; // null for a colour
    QRgb m_plain;  // premultiplied
};

/// A part of one row of the picture as pixels. A painter takes longer to be told of a thin rectangle than the
/// rectangle takes to be painted; here thousands of them are set pixel by pixel, and leave as one image.
class RowRaster {
public:
    /// Whether pixels are what the painter's device has: a drawing in vectors wants rectangles.
    static bool suits(const QPainter& painter);

    /// Clears it. Sizes and places are in the painter's coordinates; what is filled may reach out of it.
    void begin(const QPainter& painter, int width, int height);
    /// The whole height. Later fills cover earlier ones; not to be mixed with the other kind.
    void fill(double left, double right, QRgb premultiplied) {
        const int from = pixel(left, m_width);
        const int until = pixel(right, m_width);
        std::fill(m_line + from, m_line + std::max(from, until), premultiplied);
        m_used |= from < until;
    }
    void fill(const QRect& rect, const BrushPixels& brush);
    /// From `top` on, again and again until `height` is full.
    void draw(QPainter& painter, int left, int top, int height);

private:
    int pixel(double at, int most) const { return std::clamp(static_cast<int>(at * m_ratio + 0.5), 0, most); }
    void clearLine(int y);

    QImage m_image;
    QRgb* m_line = nullptr; // the first
    std::ptrdiff_t m_stride = 0;
    double m_ratio = 1; // pixels of the device in one of the painter
    int m_width = 0;    // in pixels of the device
    int m_height = 0;
    bool m_used = false;
    bool m_even = true; // only the first line is made, the others are to be the same
};

} // namespace ddp::ui
