// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/row_raster.h"

#include <QPaintEngine>

#include <cmath>
#include <cstring>

namespace ddp::ui {

BrushPixels::BrushPixels(const QBrush& brush)
    : m_tile(brush.textureImage().convertToFormat(QImage::Format_ARGB32_Premultiplied)),
      m_plain(qPremultiply(brush.color().rgba())) {}

void BrushPixels::fill(QRgb* at, std::ptrdiff_t stride, QPoint first, QSize size) const {
    if (m_tile.isNull()) {
        for (int y = 0; y < size.height(); ++y, at += stride)
            std::fill_n(at, size.width(), m_plain);
        return;
    }
    const auto* tile = reinterpret_cast<const QRgb*>(m_tile.constBits());
    const std::ptrdiff_t tileStride = m_tile.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
    const int tileWidth = m_tile.width();
    const int begin = first.x() % tileWidth;
    int row = first.y() % m_tile.height();
    for (int y = 0; y < size.height(); ++y, at += stride) {
        const QRgb* line = tile + row * tileStride;
        int column = begin;
        for (int x = 0; x < size.width(); ++x) {
            at[x] = line[column];
            column = column + 1 == tileWidth ? 0 : column + 1;
        }
        row = row + 1 == m_tile.height() ? 0 : row + 1;
    }
}

bool RowRaster::suits(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine && engine->type() == QPaintEngine::Raster;
}

void RowRaster::begin(const QPainter& painter, int width, int height) {
    m_ratio = std::max(1e-3, painter.deviceTransform().m11());
    m_width = static_cast<int>(std::ceil(width * m_ratio));
    m_height = static_cast<int>(std::ceil(height * m_ratio));
    if (m_image.width() < m_width || m_image.height() < m_height)
        m_image = QImage(std::max(m_width, m_image.width()), std::max(m_height, m_image.height()),
                         QImage::Format_ARGB32_Premultiplied);
    m_line = reinterpret_cast<QRgb*>(m_image.bits());
    m_stride = m_image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
    m_used = false;
    m_even = true;
    clearLine(0);
}

void RowRaster::clearLine(int y) {
    std::memset(m_line + y * m_stride, 0, static_cast<std::size_t>(m_width) * sizeof(QRgb));
}

void RowRaster::fill(const QRect& rect, const BrushPixels& brush) {
    if (m_even) {
        for (int y = 1; y < m_height; ++y)
            clearLine(y);
        m_even = false;
    }
    const int from = pixel(rect.left(), m_width);
    const int until = pixel(rect.right() + 1, m_width);
    const int first = pixel(rect.top(), m_height);
    const int last = pixel(rect.bottom() + 1, m_height);
    if (from < until && first < last)
        brush.fill(m_line + first * m_stride + from, m_stride, {from, first}, {until - from, last - first});
    m_used = true;
}

void RowRaster::draw(QPainter& painter, int left, int top, int height) {
    if (!m_used)
        return;
    for (int y = 1; m_even && y < m_height; ++y)
        std::memcpy(m_line + y * m_stride, m_line, static_cast<std::size_t>(m_width) * sizeof(QRgb));
    const int all = static_cast<int>(std::ceil(height * m_ratio));
    for (int y = 0; y < all; y += m_height) {
        const int lines = std::min(m_height, all - y);
        painter.drawImage(QRectF(left, top + y / m_ratio, m_width / m_ratio, lines / m_ratio), m_image,
                          QRectF(0, 0, m_width, lines));
    }
}

} // namespace ddp::ui
