// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/environment_transport.h"

#include "remote/transport/shell_quote.h"

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

class EnvironmentTransport final : public Transport {
public:
    EnvironmentTransport(std::unique_ptr<Transport> transport,
                         const std::map<std::string, std::string>& environment)
        : m_transport(std::move(transport)) {
        for (const auto& [name, value] : environment)
            m_exports += name + "=" + shellQuote(value) + "; export " + name + "\n";
    }

    std::string host() const override { return m_transport->host(); }

    Result<CommandResult> run(const Command& command, std::stop_token stop) override {
        Command withVariables = command;
        withVariables.shell = m_exports + command.shell;
        return m_transport->run(withVariables, std::move(stop));
    }

    Result<std::string> read(const fs::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token stop) override {
        return m_transport->read(file, offset, limit, std::move(stop));
    }
    Result<void> write(const fs::path& file, const std::string& content, bool executable,
                       std::stop_token stop) override {
        return m_transport->write(file, content, executable, std::move(stop));
    }
    Result<std::vector<FolderEntry>> list(const fs::path& folder, std::stop_token stop) override {
        return m_transport->list(folder, std::move(stop));
    }
    Result<void> makeFolders(const fs::path& folder, std::stop_token stop) override {
        return m_transport->makeFolders(folder, std::move(stop));
    }
    Result<std::vector<CopyItem>> tree(const fs::path& folder, std::uint64_t mostEntries,
                                       std::stop_token stop) override {
        return m_transport->tree(folder, mostEntries, std::move(stop));
    }
    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override {
        return m_transport->fetch(parts, sink, std::move(stop));
    }
    Result<void> upload(const fs::path& from, const fs::path& to, std::stop_token stop, Progress& progress,
                        const CopyLimits& limits) override {
        return m_transport->upload(from, to, std::move(stop), progress, limits);
    }
    Result<void> keepAlive(std::stop_token stop) override { return m_transport->keepAlive(std::move(stop)); }

private:
    std::unique_ptr<Transport> m_transport;
    std::string m_exports;
};

} // namespace

std::unique_ptr<Transport> makeEnvironmentTransport(std::unique_ptr<Transport> transport,
                                                    const std::map<std::string, std::string>& environment) {
    return std::make_unique<EnvironmentTransport>(std::move(transport), environment);
}

} // namespace ddp::remote
