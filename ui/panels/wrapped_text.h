// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextEdit>

namespace ddp::ui {

/// A text that can be copied, as high as it needs to be: names of regions are broken inside of words, where a
/// label would cut them.
class WrappedText final : public QTextEdit {
    Q_OBJECT

public:
    WrappedText(const QString& name, const QString& title, QWidget* parent = nullptr);

    void setFullText(const QString& text);
    QSize minimumSizeHint() const override { return {60, height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
};

} // namespace ddp::ui
