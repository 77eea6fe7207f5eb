// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/unpack.h"

#include "remote/transport/local/atomic_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <vector>

namespace ddp::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPiece = 1u << 18;

struct ArchiveFree {
    void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, ArchiveFree>;

/// What libarchive reads from.
struct Input {
    const ByteSource& source;
    std::string piece = {};
    std::optional<Error> failed = {};

    static la_ssize_t read(archive* a, void* self, const void** buffer) {
        auto& input = *static_cast<Input*>(self);
        auto piece = input.source();
        if (!piece) {
            input.failed = std::move(piece.error());
            archive_set_error(a, EIO, "%s", "its source failed");
            return -1;
        }
        input.piece = std::move(*piece);
        *buffer = input.piece.data();
        return static_cast<la_ssize_t>(input.piece.size());
    }
};

tl::unexpected<Error> damaged(archive* a, const Input& input) {
    if (input.failed)
        return tl::unexpected<Error>(*input.failed);
    const char* why = archive_error_string(a);
    return fail(ErrorCode::Unreadable, fmt::format("The archive is damaged or ends too early ({}).",
                                                   why ? why : "no reason is given"));
}

tl::unexpected<Error> refused(const std::string& name, const char* why) {
    return fail(ErrorCode::Unreadable,
                fmt::format("The archive holds “{}”, {}: nothing more is taken from it.", name, why));
}

/// Without "." in it; none when it leads out of the folder.
std::optional<fs::path> inside(const fs::path& name) {
    if (name.empty() || name.is_absolute())
        return std::nullopt;
    const fs::path normal = name.lexically_normal();
    if (normal.begin()->string() == "..")
        return std::nullopt;
    return normal.has_filename() ? normal : normal.parent_path();
}

class Unpacking {
public:
    Unpacking(archive* a, Input& input, const fs::path& folder, const UnpackLimits& limits,
              std::stop_token stop, const std::function<Result<void>(const UnpackedFile&)>& unpacked)
        : m_archive(a), m_input(input), m_folder(folder), m_limits(limits), m_stop(std::move(stop)),
          m_unpacked(unpacked) {}

    Result<void> run() {
        for (;;) {
            archive_entry* entry = nullptr;
            const int status = archive_read_next_header(m_archive, &entry);
            if (status == ARCHIVE_EOF)
                return {};
            if (status < ARCHIVE_WARN)
                return damaged(m_archive, m_input);
            if (++m_entries > m_limits.entries)
                return tooLarge(fmt::format("{} entries", m_limits.entries));
            if (auto done = take(entry); !done)
                return done;
        }
    }

private:
    Result<void> take(archive_entry* entry) {
        const char* raw = archive_entry_pathname(entry);
        if (!raw)
            raw = archive_entry_pathname_utf8(entry);
        const std::string name = raw ? raw : "";
        // ".." is refused also where it would lead back inside.
        const auto relative = inside(name);
        for (const fs::path& step : fs::path(name))
            if (!relative || step == "..")
                return refused(name, "a name that leads out of its folder");
        if (!relative)
            return refused(name, "a name that leads out of its folder");
        const char* hardLink = archive_entry_hardlink(entry);
        if (hardLink)
            return inside(hardLink) ? Result<void>() : refused(name, "a link that leads out of its folder");
        switch (archive_entry_filetype(entry)) {
        case AE_IFDIR:
            return makeFolder(*relative);
        case AE_IFLNK: {
            const char* target = archive_entry_symlink(entry);
            const bool stays = target && *target != '/' && inside(relative->parent_path() / target);
            return stays ? Result<void>() : refused(name, "a link that leads out of its folder");
        }
        case AE_IFREG:
            return takeFile(entry, name, *relative);
        default:
            return refused(name, "which is no file, folder or link");
        }
    }

    Result<void> takeFile(archive_entry* entry, const std::string& name, const fs::path& relative) {
        const auto mode = archive_entry_mode(entry);
        if ((mode & (S_ISUID | S_ISGID)) != 0)
            return refused(name, "a file with the right to run as somebody else");
        if (archive_entry_size_is_set(entry) &&
            static_cast<std::uint64_t>(archive_entry_size(entry)) > m_limits.bytes - m_bytes)
            return tooLarge(fmt::format("{} bytes", m_limits.bytes));
        if (auto made = makeFolder(relative.parent_path()); !made)
            return made;
        UnpackedFile file{relative, m_folder / relative, 0, archive_entry_mtime(entry),
                          (mode & S_IXUSR) != 0};
        auto target = AtomicFile::create(file.file, false);
        if (!target)
            return forward(target);
        for (;;) {
            if (m_stop.stop_requested())
                return fail(ErrorCode::Cancelled, "Unpacking was stopped.");
            const auto got = archive_read_data(m_archive, m_buffer.data(), m_buffer.size());
            if (got < 0)
                return damaged(m_archive, m_input);
            if (got == 0)
                break;
            const auto size = static_cast<std::uint64_t>(got);
            if (size > m_limits.bytes - m_bytes)
                return tooLarge(fmt::format("{} bytes", m_limits.bytes));
            m_bytes += size;
            file.size += size;
            if (auto wrote = target->append(m_buffer.data(), size); !wrote)
                return wrote;
        }
        if (auto named = target->commit(); !named)
            return named;
        return m_unpacked ? m_unpacked(file) : Result<void>();
    }

    /// Step by step: none of them may be a link.
    Result<void> makeFolder(const fs::path& relative) const {
        fs::path folder = m_folder;
        for (const fs::path& step : relative) {
            folder /= step;
            struct stat facts {};
            if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
                return unwritable(folder, std::strerror(errno));
            if (::lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode))
                return refused(relative.string(), "below something that is no folder here");
        }
        return {};
    }

    static tl::unexpected<Error> tooLarge(const std::string& limit) {
        return fail(ErrorCode::TooLarge, fmt::format("The archive holds more than {}; unpacking ended there. "
                                                     "Raise the limit if it is to be trusted.",
                                                     limit));
    }

    archive* m_archive;
    Input& m_input;
    const fs::path& m_folder;
    const UnpackLimits& m_limits;
    std::stop_token m_stop;
    const std::function<Result<void>(const UnpackedFile&)>& m_unpacked;
    std::uint64_t m_entries = 0;
    std::uint64_t m_bytes = 0;
    std::vector<char> m_buffer = std::vector<char>(kPiece);
};

} // namespace

Result<void> unpack(const ByteSource& source, const fs::path& folder, const UnpackLimits& limits,
                    std::stop_token stop, const std::function<Result<void>(const UnpackedFile&)>& unpacked) {
    const Archive a(archive_read_new());
    Input input{source};
    archive_read_support_format_tar(a.get());
    archive_read_support_filter_zstd(a.get());
    archive_read_support_filter_gzip(a.get());
    if (archive_read_open(a.get(), &input, nullptr, Input::read, nullptr) != ARCHIVE_OK)
        return damaged(a.get(), input);
    return Unpacking(a.get(), input, folder, limits, std::move(stop), unpacked).run();
}

Result<void> decompress(const ByteSource& source, std::stop_token stop,
                        const std::function<Result<void>(std::string_view)>& sink) {
    const Archive a(archive_read_new());
    Input input{source};
    archive_read_support_format_raw(a.get());
    // One layer, whatever the bytes below it look like: a file that is compressed itself stays so.
    archive_read_append_filter(a.get(), ARCHIVE_FILTER_ZSTD);
    archive_entry* entry = nullptr;
    if (archive_read_open(a.get(), &input, nullptr, Input::read, nullptr) != ARCHIVE_OK ||
        archive_read_next_header(a.get(), &entry) != ARCHIVE_OK)
        return damaged(a.get(), input);
    std::vector<char> buffer(kPiece);
    for (;;) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Unpacking was stopped.");
        const auto got = archive_read_data(a.get(), buffer.data(), buffer.size());
        if (got < 0)
            return damaged(a.get(), input);
        if (got == 0)
            return {};
        if (auto taken = sink({buffer.data(), static_cast<std::size_t>(got)}); !taken)
            return taken;
    }
}

} // namespace ddp::remote
