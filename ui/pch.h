// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Precompiled for every file of ui: Qt and QCustomPlot are most of what a file here compiles.

#include <QtConcurrent>
#include <QtWidgets>

#include <qcustomplot.h>

// QCustomPlot's header needs Qt's keywords, so QT_NO_KEYWORDS can not be set; our own code does without them,
// and other headers (core's records) use these words as names.
#undef signals
#undef slots
#undef emit
#undef foreach
#undef forever
