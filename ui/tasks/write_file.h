// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

namespace ddp::ui {

/// Afterwards the file is there whole, or as it was before. Gives its name. Any thread.
Result<QString> writeWhole(const QString& file, const QByteArray& bytes);

} // namespace ddp::ui
