// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/demangle.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace ddp {

std::string demangled(std::string_view name) {
    std::string text(name);
    if (!name.starts_with("_Z")) // single letters are names of types to the function below
        return text;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable(
        abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && readable ? std::string(readable.get()) : text;
}

} // namespace ddp
