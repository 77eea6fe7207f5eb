// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/command_transport.h"

#include "remote/transport/copy_plan.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <fstream>
#include <random>
#include <tuple>

namespace ddp::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPiece = 1u << 18;
constexpr std::chrono::minutes kWriteLimit{10};

std::string newTag() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

} // namespace

Result<void> CommandTransport::write(const fs::path& file, const std::string& content, bool executable,
                                     std::stop_token stop) {
    Command command;
    command.input = content;
    return put(std::move(command), file, content.size(), executable, stop);
}

Result<void> CommandTransport::makeFolders(const fs::path& folder, std::stop_token stop) {
    Command command;
    command.shell = shellCommand({"mkdir", "-p", "--", folder.string()});
    return changed(folder, run(command, std::move(stop)));
}

Result<void> CommandTransport::upload(const fs::path& from, const fs::path& to, std::stop_token stop,
                                      Progress& progress, const CopyLimits& limits) {
    const auto plan = planLocalCopy("this machine", from, limits, stop);
    if (!plan)
        return tl::unexpected<Error>(plan.error());
    progress.total = plan->bytes();
    if (auto made = makeFolders(to, stop); !made)
        return made;
    Result<void> firstFailure;
    for (const CopyItem& item : plan->items()) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, fmt::format("The copy of {} was stopped.", from.string()));
        const auto copied = item.folder
                                ? makeFolders(to / item.relative, stop)
                                : sendFile(from / item.relative, to / item.relative, item, stop, progress);
        // One file that fails does not cost the others; a broken connection does.
        if (!copied && copied.error().code == ErrorCode::Unreachable)
            return copied;
        if (!copied && firstFailure)
            firstFailure = copied;
    }
    return firstFailure;
}

Result<void> CommandTransport::sendFile(const fs::path& from, const fs::path& to, const CopyItem& item,
                                        const std::stop_token& stop, Progress& progress) {
    std::ifstream source(from, std::ios::binary);
    Command command;
    // As long as it was when the folder was listed: a file that grows meanwhile would have no end.
    command.source = [&, left = item.size]() mutable -> Result<std::string> {
        std::string piece(std::min<std::uint64_t>(left, kPiece), '\0');
        source.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        if (!source)
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} can not be read, or became shorter meanwhile.", from.string()));
        left -= piece.size();
        progress.done += piece.size();
        return piece;
    };
    return put(std::move(command), to, item.size, item.executable, stop);
}

/// Writes what the command is given to a file.
Result<void> CommandTransport::put(Command command, const fs::path& file, std::uint64_t size, bool executable,
                                   const std::stop_token& stop) {
    // cat ends without an error also when the connection is cut: only the right size gets the name.
    const std::string temporary = shellQuote((file.parent_path() / (".ddpscope-part-" + newTag())).string());
    command.shell =
        fmt::format("umask 077; t={0}; trap 'rm -f -- \"$t\"' EXIT; cat >\"$t\" && "
                    "[ \"$(wc -c <\"$t\")\" -eq {1} ] && {{ {2}; }} && mv -f -- \"$t\" {3}",
                    temporary, size, executable ? "chmod 700 -- \"$t\"" : ":", shellQuote(file.string()));
    command.deadline = kWriteLimit;
    const auto written = run(command, stop);
    // A shell that was killed did not clean up.
    if (!written && written.error().code != ErrorCode::Unreachable) {
        Command remove;
        remove.shell = "rm -f -- " + temporary;
        remove.deadline = std::chrono::seconds(10);
        std::ignore = run(remove, {});
    }
    return changed(file, written);
}

Result<void> CommandTransport::changed(const fs::path& path, const Result<CommandResult>& result) const {
    if (!result)
        return tl::unexpected<Error>(result.error());
    if (result->exitCode != 0)
        return fail(ErrorCode::Unwritable,
                    fmt::format("{} on {} can not be written: {} Free space or choose another folder.",
                                path.string(), host(), printable(result->err)));
    return {};
}

} // namespace ddp::remote
