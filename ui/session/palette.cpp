// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/palette.h"

#include "ui/session/desktop_theme.h"

#include <QApplication>
#include <QPainter>
#include <QPixmap>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

#include <array>
#include <cstdint>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

// Paul Tol's qualitative scheme "light": told apart with every kind of colour vision, and black text is
// legible on all of them. The orange is kept for communication.
constexpr std::array<QRgb, 7> kSlices{0x77aadd, 0x44bb99, 0xbbcc33, 0xeedd88, 0xffaabb, 0x99ddff, 0xaaaa00};
constexpr QRgb kCommunication = 0xee8866;
// Its grey, and shades beside it that are as pale.
constexpr std::array<QRgb, 3> kOthers{0xcccccc, 0xc3ccd6, 0xd3ccbe};

// The same scheme, by ActivityPart; idle time looks like what surrounds it.
constexpr std::array<QRgb, kActivityParts.size() - 1> kActivity{0x44bb99, kCommunication, 0x77aadd, 0xeedd88};
constexpr int kBandAlpha = 44;
constexpr int kBandLineAlpha = 84;

Colors lightColors() {
    Colors c;
    c.window = QColor(0xf3f4f6);
    c.base = QColor(0xffffff);
    c.text = QColor(0x1b1f26);
    c.muted = QColor(0x586170);
    c.line = QColor(0xd5d9df);
    c.accent = QColor(0x2563c9);
    c.pass = QColor(0x0b7a63);
    c.fail = QColor(0xb83a0c);
    c.inconclusive = QColor(0x8a6200);
    c.running = c.accent;
    c.warning = QColor(0x8a6200);
    c.laneBand = QColor(0xf8f9fa);
    c.header = QColor(0xe9ecf0);
    c.grid = QColor(0xe6e9ed);
    c.sliceText = QColor(0x12151a);
    c.selection = QColor(0x12151a);
    c.highlightLine = QColor(0xffe9b0);
    return c;
}

Colors darkColors() {
    Colors c;
    c.dark = true;
    c.window = QColor(0x202329);
    c.base = QColor(0x181a1f);
    c.text = QColor(0xe3e6eb);
    c.muted = QColor(0x9ca6b5);
    c.line = QColor(0x3a404a);
    c.accent = QColor(0x79aaff);
    c.pass = QColor(0x4fc3a1);
    c.fail = QColor(0xff9068);
    c.inconclusive = QColor(0xe0b54a);
    c.running = c.accent;
    c.warning = QColor(0xe0b54a);
    c.laneBand = QColor(0x1c1f24);
    c.header = QColor(0x2a2e35);
    c.grid = QColor(0x2b2f36);
    c.sliceText = QColor(0x101216);
    c.selection = QColor(0xffffff);
    c.highlightLine = QColor(0x55461a);
    return c;
}

QPalette applicationPalette(const Colors& c) {
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.base);
    palette.setColor(QPalette::AlternateBase, c.laneBand);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.dark ? QColor(0x2c3038) : QColor(0xfafbfc));
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.fail);
    palette.setColor(QPalette::ToolTipBase, c.dark ? QColor(0x2c3038) : QColor(0xffffff));
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::PlaceholderText, c.muted);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::LinkVisited, c.accent);
    palette.setColor(QPalette::Highlight, c.dark ? QColor(0x2c4468) : QColor(0xcfe0fa));
    palette.setColor(QPalette::HighlightedText, c.text);
    palette.setColor(QPalette::Light, c.dark ? QColor(0x3a404a) : QColor(0xffffff));
    palette.setColor(QPalette::Midlight, c.dark ? QColor(0x30353d) : QColor(0xeceff2));
    palette.setColor(QPalette::Mid, c.dark ? QColor(0x3a404a) : QColor(0xc3c8d0));
    palette.setColor(QPalette::Dark, c.dark ? QColor(0x121417) : QColor(0xa9b0ba));
    palette.setColor(QPalette::Shadow, c.dark ? QColor(0, 0, 0) : QColor(0x7c8490));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, c.dark ? QColor(0x6b7482) : QColor(0x959daa));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, c.muted);
    return palette;
}

// Stripes that rise for hidden, crossed ones for exposed communication. Qt's own patterns have no background
// and are hard to see on a column.
QBrush patternBrush(ActivityPart part, const QColor& color, const QColor& line) {
    if (!Palette::hasPattern(part))
        return color;
    constexpr int kSize = Palette::kPatternPixels;
    QPixmap tile(kSize, kSize);
    tile.fill(color);
    QPainter painter(&tile);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.setPen(line);
    for (const int x : {0, kSize / 2}) {
        for (int y = 0; y < kSize; ++y) {
            painter.drawPoint((x + kSize - y) % kSize, y);
            if (part == ActivityPart::Exposed)
                painter.drawPoint((x + y) % kSize, y);
        }
    }
    return QBrush(tile);
}

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

// FNV-1a: the same colour in every run and on every machine.
std::uint32_t hashOf(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
    return hash ^ (hash >> 15);
}

} // namespace

// The desktop is asked before our own palette covers its one.
Palette::Palette(ThemeMode mode, QObject* parent)
    : QObject(parent), m_mode(mode), m_desktop(new DesktopTheme(this)) {
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    apply();
    connect(m_desktop, &DesktopTheme::changed, this, [this] {
        if (m_mode == ThemeMode::System)
            apply();
    });
}

void Palette::setMode(ThemeMode mode) {
    if (mode == m_mode)
        return;
    m_mode = mode;
    apply();
}

void Palette::apply() {
    const bool dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::System && m_desktop->dark());
    m_colors = dark ? darkColors() : lightColors();
    const QPalette palette = applicationPalette(m_colors);
    for (const ActivityPart part : kActivityParts) {
        const Pattern plain = pattern(part, false);
        const Pattern tint = pattern(part, true);
        m_activity[static_cast<std::size_t>(part)] = patternBrush(part, plain.ground, plain.line);
        m_bands[static_cast<std::size_t>(part)] = patternBrush(part, tint.ground, tint.line);
    }
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    Q_EMIT changed();
}

QColor Palette::shade(QRgb rgb) const {
    const QColor color(rgb);
    return m_colors.dark ? color.darker(118) : color;
}

Palette::Pattern Palette::pattern(ActivityPart part, bool band) const {
    const QColor color = activityColor(part);
    const QColor line = color.darker(155);
    return band ? Pattern{withAlpha(color, kBandAlpha), withAlpha(line, kBandLineAlpha)}
                : Pattern{color, line};
}

QColor Palette::patternMark(ActivityPart part, bool band) const {
    const QColor color = activityColor(part);
    return hasPattern(part) ? QColor(color.rgb() ^ (band ? 2U : 1U)) : color; // nobody sees it
}

QColor Palette::workColor(WorkClass work) const {
    switch (work) {
    case WorkClass::Communication:
        return shade(kCommunication);
    case WorkClass::Compute:
        return activityColor(ActivityPart::Compute);
    case WorkClass::Memory:
        return activityColor(ActivityPart::Memory);
    case WorkClass::Ignored:
        return m_colors.dark ? QColor(0x838b96) : QColor(0xe4e7eb); // idle markers: they stay back
    case WorkClass::Other:
        break;
    }
    return shade(kOthers.front());
}

QColor Palette::otherColor(std::string_view regionName) const {
    return shade(kOthers[hashOf(regionName) % kOthers.size()]);
}

QColor Palette::nameColor(std::string_view regionName) const {
    return shade(kSlices[hashOf(regionName) % kSlices.size()]);
}

QColor Palette::groupColor(RegionGroup group) const {
    switch (group) {
    case RegionGroup::User:
        return shade(0x77aadd);
    case RegionGroup::Communicating:
        return shade(0x99ddff);
    case RegionGroup::Measurement:
        return shade(kOthers.front());
    case RegionGroup::Pthread:
        return shade(0xaaaa00);
    case RegionGroup::OpenMp:
        return shade(0xbbcc33);
    case RegionGroup::Kokkos:
        return shade(0xeedd88);
    case RegionGroup::Cuda:
    case RegionGroup::Hip:
    case RegionGroup::OpenCl:
    case RegionGroup::OpenAcc:
        return shade(0x44bb99);
    case RegionGroup::Mpi:
    case RegionGroup::Shmem:
    case RegionGroup::Gloo:
        break;
    }
    return shade(kCommunication);
}

std::vector<std::pair<QString, QColor>> Palette::choices() {
    return {{tr("orange"), QColor(kCommunication)}, {tr("blue"), QColor(0x77aadd)},
            {tr("cyan"), QColor(0x99ddff)},         {tr("mint"), QColor(0x44bb99)},
            {tr("pear"), QColor(0xbbcc33)},         {tr("olive"), QColor(0xaaaa00)},
            {tr("yellow"), QColor(0xeedd88)},       {tr("pink"), QColor(0xffaabb)},
            {tr("grey"), QColor(kOthers.front())}};
}

QColor Palette::activityColor(ActivityPart part) const {
    if (part == ActivityPart::Idle)
        return m_colors.header;
    return shade(kActivity[static_cast<std::size_t>(part)]);
}

} // namespace ddp::ui
