// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ddp::otf2 {

/// While it lives, what libotf2 reports on this thread is kept here instead of being printed on stderr. One
/// per thread at a time; every call into libotf2 that can fail lies inside one.
class ErrorCapture {
public:
    ErrorCapture();
    ~ErrorCapture();
    ErrorCapture(const ErrorCapture&) = delete;
    ErrorCapture& operator=(const ErrorCapture&) = delete;

    /// The first report since the last call, the one nearest to the cause; empty when there was none.
    std::string take();

private:
    std::string m_first;
};

} // namespace ddp::otf2
