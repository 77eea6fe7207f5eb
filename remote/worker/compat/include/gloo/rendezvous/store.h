// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stand-in with what ProcessGroupGloo.hpp overrides. The worker makes no object of it: the class that derives
// from it is made and used inside libtorch only, so this layout never meets the real one.

#include <chrono>
#include <string>
#include <vector>

namespace gloo::rendezvous {

class Store {
public:
    static constexpr std::chrono::milliseconds kDefaultTimeout{30'000};
    virtual ~Store() = default;
    virtual void set(const std::string& key, const std::vector<char>& data) = 0;
    virtual std::vector<char> get(const std::string& key) = 0;
    virtual void wait(const std::vector<std::string>& keys) = 0;
    virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
};

} // namespace gloo::rendezvous
