// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace ddp::ui {

/// One line of text that ends, or has its middle replaced, by an ellipsis where there is no room; the tool
/// tip says all of it then.
class ElidedLabel final : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    const QString& fullText() const { return m_full; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    Qt::TextElideMode m_mode;
    QString m_full;
};

} // namespace ddp::ui
