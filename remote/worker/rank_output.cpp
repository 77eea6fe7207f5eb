// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/rank_output.h"

#include "core/records/worker_records.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ddp::worker {

namespace {

/// 0, or the errno of the write that failed.
int writeAll(int file, const std::string& text) {
    const char* next = text.data();
    std::size_t left = text.size();
    while (left > 0) {
        const ssize_t written = ::write(file, next, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        next += written;
        left -= static_cast<std::size_t>(written);
    }
    return 0;
}

std::string why(int error) {
    return std::strerror(error);
}

std::string advice(int error) {
    if (error == ENOSPC || error == EDQUOT)
        return "free space there or choose another --out";
    if (error == ENOTDIR || error == EEXIST)
        return "a file is in the way; choose another --out";
    return "choose an --out that this user can write";
}

std::string unusable(const std::string& path, int error) {
    return "--out: " + path + " can not be used (" + why(error) + "); " + advice(error);
}

int makeFolders(const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
            return errno;
        if (end == std::string::npos)
            break;
    }
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return errno;
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

std::string refusal(const std::string& folder) {
    return "--out: " + folder +
           " already holds a run, which is not overwritten; choose another --out or move it away";
}

} // namespace

std::string prepareRunFolder(const std::string& out) {
    if (const int error = makeFolders(out))
        return unusable(out, error);
    DIR* folder = ::opendir(out.c_str());
    if (folder == nullptr)
        return unusable(out, errno);
    std::string problem;
    while (const dirent* entry = ::readdir(folder)) {
        if (std::strncmp(entry->d_name, records::kRankFolderPrefix,
                         std::strlen(records::kRankFolderPrefix)) == 0)
            problem = refusal(out);
    }
    ::closedir(folder);
    if (problem.empty() && ::access(out.c_str(), W_OK) != 0)
        problem = unusable(out, errno);
    return problem;
}

RankOutput::~RankOutput() {
    if (m_log >= 0)
        ::close(m_log);
    if (m_records >= 0)
        ::close(m_records);
}

std::string RankOutput::open(const std::string& out, int rank) {
    if (out.empty())
        return {};
    if (const int error = makeFolders(out))
        return unusable(out, error);
    m_folder = out + "/" + records::kRankFolderPrefix + std::to_string(rank);
    // mkdir, not a look before it: the one that makes the folder owns it, also when two ranks mistake their
    // number.
    if (::mkdir(m_folder.c_str(), 0777) != 0)
        return errno == EEXIST ? refusal(m_folder) : unusable(m_folder, errno);
    const auto openNew = [&](const char* name) {
        return ::open((m_folder + "/" + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
                      0666);
    };
    m_log = openNew(records::kLogFile);
    m_records = openNew(records::kRecordsFile);
    if (m_log < 0 || m_records < 0)
        return unusable(m_folder, errno);
    // A full disk still makes folders and empty files; only a byte shows it.
    const std::string intro = "ddpscope-worker " DDP_WORKER_VERSION "\n";
    if (const int error = writeAll(m_log, intro))
        return unusable(m_folder, error);
    return {};
}

void RankOutput::print(const std::string& text) {
    writeAll(STDOUT_FILENO, text); // nobody is left to tell when stdout is gone
    append(m_log, records::kLogFile, text);
}

void RankOutput::record(const std::string& line) {
    append(m_records, records::kRecordsFile, line);
}

void RankOutput::append(int file, const char* name, const std::string& text) {
    if (file < 0)
        return;
    if (const int error = writeAll(file, text))
        reportLoss(m_folder + "/" + name, why(error));
}

void RankOutput::reportLoss(const std::string& path, const std::string& reason) {
    if (m_lossReported.exchange(true))
        return;
    writeAll(STDERR_FILENO,
             "ddpscope-worker: " + path + " can not be written (" + reason +
                 "), so the files of this run are incomplete; free space there and run again. The "
                 "check goes on.\n");
}

} // namespace ddp::worker
