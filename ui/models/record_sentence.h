// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ddp::ui {

/// A line of the worker's records as a sentence for people ("rank 0 expected 34 from rank 1 and received
/// nothing"). Any other text, and a record of an unknown kind, comes back as it is.
QString recordSentence(const QString& line);

} // namespace ddp::ui
