// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_picture.h"

#include "ui/panels/activity_legend.h"
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_canvas.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImageWriter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(TimelinePicture)
};

constexpr int kMargin = 8;
constexpr int kSwatch = 11;
constexpr int kDotsPerInch = 96; // what a pixel of the picture is in print
constexpr double kPointsPerInch = 72;

QString windowText(const TimelineScene& scene) {
    const TimeRange visible = scene.viewport.visible;
    const TimeRange extent = scene.store->extent();
    if (visible == extent)
        return Texts::tr("the whole run, %1").arg(durationText(extent.length()));
    return Texts::tr("%1 of %2, from %3")
        .arg(durationText(visible.length()), durationText(extent.length()), pointText(visible.begin));
}

/// Lines from edge to edge of a tile, as Palette paints them: rising, and for exposed time falling ones too.
QString patternLines(ActivityPart part) {
    constexpr int kSize = Palette::kPatternPixels;
    QString path;
    for (int at = 0; at <= 2 * kSize; at += kSize / 2) {
        path += u"M%1 -1L%2 %3"_s.arg(at + 1).arg(at - kSize - 1).arg(kSize + 1);
        if (part == ActivityPart::Exposed)
            path += u"M%1 -1L%2 %3"_s.arg(at - kSize - 1).arg(at + 1).arg(kSize + 1);
    }
    return path;
}

QString fill(const char* what, const QColor& color) {
    return u"%1=\"%2\" %1-opacity=\"%3\""_s.arg(QLatin1String(what), color.name())
        .arg(color.alphaF(), 0, 'f', 3);
}

/// Qt writes no tiles: what has the colour of a pattern is given the pattern.
QByteArray withPatterns(QByteArray svg, const Palette& palette) {
    QString patterns;
    for (const ActivityPart part : kActivityParts) {
        for (const bool band : {false, true}) {
            if (!Palette::hasPattern(part))
                continue;
            const QString name =
                (part == ActivityPart::Hidden ? u"hidden"_s : u"exposed"_s) + (band ? u"-band"_s : QString());
            const auto [ground, line] = palette.pattern(part, band);
            patterns += u"<pattern id=\"%1\" width=\"%2\" height=\"%2\" patternUnits=\"userSpaceOnUse\">"
                        "<rect width=\"%2\" height=\"%2\" %3 stroke=\"none\"/>"
                        "<path d=\"%4\" fill=\"none\" %5 stroke-width=\"0.8\"/></pattern>\n"_s.arg(name)
                            .arg(Palette::kPatternPixels)
                            .arg(fill("fill", ground), patternLines(part), fill("stroke", line));
            const QByteArray mark = palette.patternMark(part, band).name().toLatin1();
            svg.replace(QByteArray("fill=\"" + mark + '"'),
                        QByteArray("fill=\"url(#" + name.toLatin1() + ")\""));
        }
    }
    return svg.replace("<defs>", QByteArray("<defs>\n" + patterns.toLatin1()));
}

} // namespace

std::optional<PictureFormat> pictureFormat(const QString& file) {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == u"png")
        return PictureFormat::Png;
    if (ending == u"svg")
        return PictureFormat::Svg;
    if (ending == u"pdf")
        return PictureFormat::Pdf;
    return std::nullopt;
}

QString pictureFormatProblem(const QString& file) {
    return Texts::tr("The ending of %1 does not say what to write: name it .png, .svg or .pdf.").arg(file);
}

QString runText(const QString& title, const TraceStore& store) {
    std::size_t lanes = 0;
    for (const LocationInfo& location : store.locations())
        lanes += location.slices > 0 ? 1 : 0;
    return u"%1 – %2, %3, %4"_s.arg(title,
                                    countText(store.ranks().size(), Texts::tr("rank"), Texts::tr("ranks")),
                                    countText(lanes, Texts::tr("lane"), Texts::tr("lanes")),
                                    countText(store.sliceCount(), Texts::tr("slice"), Texts::tr("slices")));
}

TimelinePicture::TimelinePicture(TimelineCanvas& canvas, const Palette& palette, const QString& title)
    : m_canvas(canvas), m_palette(palette), m_title(title) {}

int TimelinePicture::headHeight(const QFontMetrics& metrics) {
    return 2 * (metrics.height() + kMargin) + kMargin / 2;
}

QSize TimelinePicture::size() const {
    return {m_canvas.width(), m_canvas.height() + headHeight(m_canvas.fontMetrics())};
}

void TimelinePicture::paint(QCPPainter& painter, bool clips) const {
    painter.setFont(m_canvas.font());
    painter.fillRect(QRect(QPoint(0, 0), size()), m_palette.colors().base);
    const int head = headHeight(m_canvas.fontMetrics());
    painter.translate(0, head);
    m_canvas.paintPicture(painter, clips);
    painter.translate(0, -head);
    painter.fillRect(QRect(0, 0, m_canvas.width(), head), m_palette.colors().base);
    paintHead(painter);
}

void TimelinePicture::paintHead(QCPPainter& painter) const {
    if (!m_canvas.scene().store)
        return;
    const QFontMetrics metrics = m_canvas.fontMetrics();
    const int line = metrics.height() + kMargin;
    const QString window = windowText(m_canvas.scene());
    const QRect above(kMargin, kMargin / 4, m_canvas.width() - 2 * kMargin, line);
    const int used = metrics.horizontalAdvance(window) + 2 * kMargin;
    painter.setPen(m_palette.colors().muted);
    painter.drawText(above, Qt::AlignRight | Qt::AlignVCenter, window);
    QFont bold = m_canvas.font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(m_palette.colors().text);
    const int room = std::max(0, above.width() - used);
    painter.drawText(
        QRect(above.topLeft(), QSize(room, line)), Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(bold).elidedText(runText(m_title, *m_canvas.scene().store), Qt::ElideRight, room));
    painter.setFont(m_canvas.font());
    paintLegend(painter, above.translated(0, line));
}

void TimelinePicture::paintLegend(QCPPainter& painter, QRect room) const {
    if (m_canvas.scene().overlap.analysis()) {
        paintActivityLegend(painter, m_palette, room);
        room.setLeft(room.left() + activityLegendWidth(painter.fontMetrics()) + 3 * kMargin);
    }
    for (const LegendEntry& entry : m_canvas.scene().colors.legend()) {
        const int width = kSwatch + kMargin / 2 + painter.fontMetrics().horizontalAdvance(entry.name);
        if (width > room.width())
            return; // the rest is in the window
        const QRect swatch(room.left(), room.top() + (room.height() - kSwatch) / 2, kSwatch, kSwatch);
        painter.fillRect(swatch, entry.color);
        painter.setPen(m_palette.colors().muted);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(m_palette.colors().text);
        painter.drawText(room.adjusted(kSwatch + kMargin / 2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         entry.name);
        room.setLeft(room.left() + width + 2 * kMargin);
    }
}

QImage TimelinePicture::image(double scale) const {
    QImage image(size() * scale, QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(scale);
    image.fill(m_palette.colors().base);
    QCPPainter painter(&image);
    paint(painter);
    return image;
}

QByteArray TimelinePicture::vector(PictureFormat format) const {
    return format == PictureFormat::Pdf ? pdf() : svg();
}

QByteArray TimelinePicture::svg() const {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size());
    generator.setViewBox(QRect(QPoint(0, 0), size()));
    generator.setResolution(kDotsPerInch);
    generator.setTitle(m_title);
    generator.setDescription(u"ddpscope"_s);
    const Palette::PlainPatterns plain(m_palette);
    QCPPainter painter(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    paint(painter, false); // Qt 6.4 writes no clips
    painter.end();
    return withPatterns(bytes, m_palette);
}

QByteArray TimelinePicture::pdf() const {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kDotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(size()) * kPointsPerInch / kDotsPerInch, QPageSize::Point, QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins({});
    writer.setTitle(m_title);
    writer.setCreator(u"ddpscope"_s);
    QCPPainter painter(&writer);
    painter.setMode(QCPPainter::pmVectorized);
    paint(painter);
    painter.end();
    return bytes;
}

QByteArray pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter(&buffer, "png").write(image);
    return bytes;
}

} // namespace ddp::ui
