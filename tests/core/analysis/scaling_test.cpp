// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scaling.h"

#include <gtest/gtest.h>
