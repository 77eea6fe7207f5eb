// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <memory>

namespace ddp::remote {

/// What a machine behind a shell can be given by commands alone: a transport needs to bring run() for it.
class CommandTransport : public Transport {
public:
    Result<void> write(const std::filesystem::path& file, const std::string& content, bool executable,
                       std::stop_token stop) override;
    Result<void> makeFolders(const std::filesystem::path& folder, std::stop_token stop) override;
    Result<void> upload(const std::filesystem::path& from, const std::filesystem::path& to,
                        std::stop_token stop, Progress& progress, const CopyLimits& limits) override;

private:
    Result<void> sendFile(const std::filesystem::path& from, const std::filesystem::path& to,
                          const CopyItem& item, const std::stop_token& stop, Progress& progress);
    Result<void> put(Command command, const std::filesystem::path& file, std::uint64_t size, bool executable,
                     const std::stop_token& stop);
    Result<void> changed(const std::filesystem::path& path, const Result<CommandResult>& result) const;
};

} // namespace ddp::remote
