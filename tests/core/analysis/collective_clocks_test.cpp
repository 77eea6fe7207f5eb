// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_clocks.h"

#include <gtest/gtest.h>
