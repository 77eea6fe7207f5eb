// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stand-in: ProcessGroupGloo.hpp includes it, but uses nothing of it. No wheel ships the headers of Gloo.
