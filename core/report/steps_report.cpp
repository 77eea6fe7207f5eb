// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/steps_report.h"
