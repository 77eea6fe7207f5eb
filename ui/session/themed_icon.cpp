// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/themed_icon.h"

#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Outside any namespace: the macro declares a function of the global one.
static void initResources() {
    Q_INIT_RESOURCE(resources);
}

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QPixmap tinted(QSvgRenderer& drawing, const QColor& color, int size) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawing.render(&painter);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(pixmap.rect(), color);
    return pixmap;
}

} // namespace

QIcon themedIcon(const QString& name, const Colors& colors) {
    initResources();
    QSvgRenderer drawing(u":/icons/%1.svg"_s.arg(name));
    QColor pale = colors.muted;
    pale.setAlpha(120);
    QIcon icon;
    for (const int size : {16, 24, 32, 48}) {
        icon.addPixmap(tinted(drawing, colors.text, size), QIcon::Normal);
        icon.addPixmap(tinted(drawing, pale, size), QIcon::Disabled);
    }
    return icon;
}

} // namespace ddp::ui
