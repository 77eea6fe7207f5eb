// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phases.h"

#include <gtest/gtest.h>
