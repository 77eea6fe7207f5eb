// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings.h"

#include <gtest/gtest.h>
