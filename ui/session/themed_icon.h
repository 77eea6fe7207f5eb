// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QIcon>

namespace ddp::ui {

/// An icon of resources/icons in the colour of the text, paler when disabled.
QIcon themedIcon(const QString& name, const Colors& colors);

} // namespace ddp::ui
