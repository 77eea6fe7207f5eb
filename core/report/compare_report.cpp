// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/compare_report.h"
