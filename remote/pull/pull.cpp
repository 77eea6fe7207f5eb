// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/pull.h"

#include "remote/pull/checksums.h"
#include "remote/pull/pull_state.h"
#include "remote/pull/transfer.h"
#include "remote/transport/local/atomic_file.h"
#include "remote/transport/local/local_transport.h"

#include <fmt/format.h>

#include <sys/statvfs.h>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

/// Before even the number of files is known.
constexpr std::uint64_t kMostListed = 2'000'000;

class Pull {
public:
    Pull(Transport& transport, fs::path from, fs::path to, const PullOptions& options, std::stop_token stop,
         Progress& progress)
        : m_transport(transport), m_from(std::move(from)), m_to(std::move(to)), m_options(options),
          m_stop(std::move(stop)), m_progress(progress) {}

    Result<PullReport> run() {
        auto listed = m_transport.tree(m_from, kMostListed, m_stop);
        if (!listed)
            return forward(listed);
        if (auto allowed = keepWanted(*listed); !allowed)
            return forward(allowed);
        auto state = PullState::open(m_to, fmt::format("{}:{}", m_transport.host(), m_from.string()));
        if (!state)
            return forward(state);
        if (auto done = pull(*state, *listed); !done)
            return told(std::move(done.error()));
        return std::move(m_report);
    }

private:
    /// Within the limits.
    Result<void> keepWanted(std::vector<CopyItem>& items) const {
        if (m_options.wanted)
            std::erase_if(items, [this](const CopyItem& item) {
                return item.folder || !m_options.wanted(item.relative);
            });
        std::uint64_t bytes = 0;
        for (const CopyItem& item : items)
            bytes += item.size;
        if (bytes <= m_options.limits.bytes && items.size() <= m_options.limits.entries)
            return {};
        return fail(
            ErrorCode::TooLarge,
            fmt::format(
                "{} on {} holds {} files and folders with {:.1f} MB; more than {} or {:.1f} "
                "MB are not pulled unasked. Call ddpscope-cli pull with a higher --max-files or --max-size.",
                m_from.string(), m_transport.host(), items.size(), megabytes(bytes), m_options.limits.entries,
                megabytes(m_options.limits.bytes)));
    }

    Result<void> pull(PullState& state, const std::vector<CopyItem>& items) {
        std::vector<CopyItem> here;
        for (const CopyItem& item : items) {
            if (item.folder)
                makeFolder(item.relative);
            else
                (state.upToDate(item) ? here : m_new).push_back(item);
        }
        if (auto compared = m_options.verify ? compare(here, m_new) : Result<void>(); !compared)
            return compared;
        m_report.skipped = here.size();
        std::uint64_t bytes = 0;
        for (const CopyItem& item : m_new)
            bytes += item.size;
        m_progress.total = bytes;
        if (auto room = checkRoom(bytes); !room)
            return room;
        if (auto moved =
                Transfer(m_transport, m_from, state, m_report, m_progress, m_options.compression, m_stop)
                    .run(m_new);
            !moved)
            return moved;
        if (auto verified = m_options.verify ? verify(state) : Result<void>(); !verified)
            return verified;
        if (m_report.failed.empty())
            state.dropParts();
        return m_new.empty() ? Result<void>() : state.sync();
    }

    void makeFolder(const fs::path& relative) {
        std::error_code error;
        fs::create_directories(m_to / relative, error);
        if (error)
            m_report.failed.push_back({relative, unwritable(relative, error.message()).value().message});
    }

    /// Moves from `same` to `other` what has another checksum here.
    Result<void> compare(std::vector<CopyItem>& same, std::vector<CopyItem>& other) const {
        const auto theirs = checksums(m_transport, m_from, same, m_stop);
        if (!theirs)
            return tl::unexpected<Error>(theirs.error());
        const auto ours = checksums(*makeLocalTransport(), m_to, same, m_stop);
        if (!ours)
            return tl::unexpected<Error>(ours.error());
        std::vector<CopyItem> equal;
        for (CopyItem& item : same) {
            const auto a = theirs->find(item.relative.string());
            const auto b = ours->find(item.relative.string());
            const bool known = a != theirs->end() && b != ours->end();
            (known && a->second == b->second ? equal : other).push_back(std::move(item));
        }
        same = std::move(equal);
        return {};
    }

    Result<void> verify(PullState& state) {
        std::vector<CopyItem> pulled;
        for (const CopyItem& item : m_new)
            if (state.upToDate(item))
                pulled.push_back(item);
        std::vector<CopyItem> different;
        if (auto compared = compare(pulled, different); !compared)
            return compared;
        for (const CopyItem& item : different) {
            state.forget(item);
            --m_report.files;
            m_report.failed.push_back(
                {item.relative, fmt::format("{} differs from the one on {} by its SHA-256: it changed while "
                                            "it was pulled, or was damaged on the way. Pull again.",
                                            item.relative.string(), m_transport.host())});
        }
        return {};
    }

    Result<void> checkRoom(std::uint64_t bytes) const {
        struct statvfs facts {};
        if (::statvfs(m_to.c_str(), &facts) != 0)
            return {};
        const std::uint64_t room = std::uint64_t{facts.f_bavail} * facts.f_frsize;
        if (bytes <= room)
            return {};
        return fail(ErrorCode::Unwritable,
                    fmt::format("{} on {} has {:.1f} MB to pull, and for {} there are {:.1f} MB free. Free "
                                "space or choose another folder.",
                                m_from.string(), m_transport.host(), megabytes(bytes), m_to.string(),
                                megabytes(room)));
    }

    tl::unexpected<Error> told(Error error) const {
        error.message += fmt::format(" {} of {} new files are here and stay; pull again to go on.",
                                     m_report.files, m_new.size());
        return tl::unexpected<Error>(std::move(error));
    }

    static double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

    Transport& m_transport;
    fs::path m_from;
    fs::path m_to;
    const PullOptions& m_options;
    std::stop_token m_stop;
    Progress& m_progress;
    std::vector<CopyItem> m_new;
    PullReport m_report;
};

} // namespace

Result<PullReport> pullFolder(Transport& transport, const fs::path& from, const fs::path& to,
                              const PullOptions& options, std::stop_token stop, Progress& progress) {
    return Pull(transport, from, to, options, std::move(stop), progress).run();
}

} // namespace ddp::remote
