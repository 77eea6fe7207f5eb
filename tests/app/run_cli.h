// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace ddp::test {

struct CliAnswer {
    int exitCode = -1; ///< 128 + signal when it was killed
    std::string out;
    std::string err;
};

/// Runs the built ddpscope-cli as a user would, arguments taken literally.
inline CliAnswer runCli(const std::vector<std::string>& arguments) {
    const TempFolder folder;
    const auto quoted = [](const std::string& text) {
        std::string result = "'";
        for (const char c : text)
            result += c == '\'' ? "'\\''" : std::string(1, c);
        return result + "'";
    };
    const auto content = [](const std::filesystem::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const auto out = folder.path() / "out";
    const auto err = folder.path() / "err";
    std::string command = quoted(std::string(DDP_BIN_DIR) + "/ddpscope-cli");
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    command += " >" + quoted(out.string()) + " 2>" + quoted(err.string());
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out), content(err)};
}

} // namespace ddp::test
