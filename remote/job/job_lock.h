// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ddp::remote {

/// One of the locks that a file holds, numbered; given back with the object, and by the kernel when the
/// process ends. Two holders exclude each other also within one process.
class JobLock {
public:
    /// Does not wait; empty when somebody has it.
    static Result<std::optional<JobLock>> tryLock(const std::filesystem::path& file, std::int64_t number);
    JobLock(JobLock&& other) noexcept;
    JobLock& operator=(JobLock&& other) noexcept;
    ~JobLock();

private:
    explicit JobLock(int file) : m_file(file) {}
    int m_file = -1;
};

} // namespace ddp::remote
