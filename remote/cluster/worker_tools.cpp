// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/worker_tools.h"

#include "remote/cluster/cluster_test.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace ddp::resources {
extern const std::string_view kWorkerTools; ///< resources/worker_tools.sh
} // namespace ddp::resources

namespace ddp::remote {

namespace {

constexpr int kOldestCMake = 16; // 3.16: precompiled headers

/// Lines NAME=VALUE; of several of a name the first counts. Others are not ours.
class Facts {
public:
    explicit Facts(std::string_view text) {
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (const auto equals = line.find('='); equals != std::string_view::npos)
                m_values.emplace(line.substr(0, equals), printable(line.substr(equals + 1)));
        }
    }
    std::string operator[](const std::string& name) const {
        const auto found = m_values.find(name);
        return found == m_values.end() ? "" : found->second;
    }
    /// MAJOR.MINOR.PATCH of a header.
    std::string version(const std::string& name) const {
        const std::string major = (*this)[name + "_MAJOR"];
        return major.empty() ? "" : major + "." + (*this)[name + "_MINOR"] + "." + (*this)[name + "_PATCH"];
    }

private:
    std::map<std::string, std::string> m_values;
};

bool isOldCMake(const std::string& version) {
    int major = 0;
    int minor = 0;
    const char* const end = version.data() + version.size();
    const auto first = std::from_chars(version.data(), end, major);
    if (first.ptr != end)
        std::from_chars(first.ptr + 1, end, minor);
    return major < 3 || (major == 3 && minor < kOldestCMake);
}

WorkerTools toolsOf(const Facts& facts) {
    WorkerTools tools;
    tools.system = facts["system"];
    tools.python = facts["python"];
    if (!facts["python_path"].empty())
        tools.python += " at " + facts["python_path"];
    tools.torchRoot = facts["torch_root"];
    if (!facts["torch_include"].empty()) {
        tools.torchVersion = facts.version("torch");
        // The wheel's own word tells the CUDA it is made for too: 2.4.1+cu121.
        if (!tools.torchRoot.empty() && !facts["torch_version"].empty())
            tools.torchVersion = facts["torch_version"];
        if (tools.torchVersion.empty())
            tools.torchVersion = "of unknown version";
        if (!tools.torchRoot.empty())
            tools.torchCuda = facts["torch_cuda"];
    }
    tools.ncclHeader = facts["nccl_header"];
    tools.ncclVersion = facts.version("nccl");
    tools.cudaVersion = facts["cuda"];
    tools.compiler = facts["compiler"];
    tools.compilerPath = facts["compiler_path"];
    tools.cmake = facts["cmake"];
    tools.buildTool = facts["build_tool"];
    if (facts["otf2_there"] == "yes")
        tools.otf2 = facts["otf2"].empty() ? "there" : facts["otf2"];
    return tools;
}

} // namespace

std::vector<std::string> WorkerTools::missing() const {
    std::vector<std::string> list;
    if (torchVersion.empty())
        list.emplace_back(
            "No libtorch with its headers is found: neither in the torch of the Python there, nor in "
            "TORCH_ROOT, nor in /usr. Activate the environment with torch in the setup lines.");
    if (compilerPath.empty())
        list.emplace_back("No C++ compiler is found. Load a module with one in the setup lines.");
    if (cmake.empty())
        list.emplace_back(
            "No cmake is found. Load a module with it, or `pip install cmake` in the environment.");
    else if (isOldCMake(cmake))
        list.push_back(fmt::format("cmake {} is too old, it takes 3.{}. Load a newer one in the setup lines.",
                                   cmake, kOldestCMake));
    if (buildTool.empty())
        list.emplace_back("Neither make nor ninja is found. Load a module with one in the setup lines.");
    return list;
}

std::vector<std::string> WorkerTools::notes() const {
    std::vector<std::string> list;
    if (otf2.empty())
        list.emplace_back(
            "OTF2 is not found: the worker runs, but writes no traces. Load a module with it (Score-P "
            "has it) in the setup lines and set up again.");
    if (!torchVersion.empty() && torchCuda.empty())
        list.emplace_back("This libtorch is not made for CUDA: it checks the CPU path only.");
    else if (!torchCuda.empty() && ncclHeader.empty())
        list.emplace_back("nccl.h is not found, neither beside torch nor in the system.");
    return list;
}

std::vector<NamedText> toolTable(const WorkerTools& tools) {
    const auto at = [](const std::string& text, const std::string& place) {
        return text.empty() || place.empty() ? text : text + " at " + place;
    };
    return {{"system", tools.system},
            {"python", tools.python},
            {"libtorch", at(tools.torchVersion, tools.torchRoot.empty() ? "/usr" : tools.torchRoot)},
            {"its CUDA", tools.torchCuda},
            {"CUDA toolkit", tools.cudaVersion},
            {"NCCL", at(tools.ncclVersion, tools.ncclHeader)},
            {"compiler", at(tools.compiler, tools.compilerPath)},
            {"cmake", tools.cmake},
            {"build tool", tools.buildTool},
            {"OTF2", tools.otf2}};
}

Result<WorkerTools> findWorkerTools(const Cluster& cluster, Transport& transport, std::stop_token stop) {
    Command command;
    command.shell = afterSetupLines(cluster, "exec bash -s -- " + shellQuote(cluster.python));
    command.input = std::string(resources::kWorkerTools);
    command.deadline = std::chrono::minutes(2); // Python on a slow file system
    auto result = transport.run(command, std::move(stop));
    if (!result)
        return forward(result);
    if (result->exitCode != 0)
        return fail(ErrorCode::Failed,
                    fmt::format("The setup lines of {} fail on {} with exit code {}: {} Correct them.",
                                cluster.name, transport.host(), result->exitCode,
                                printable(std::string_view(result->err)
                                              .substr(result->err.size() -
                                                      std::min<std::size_t>(300, result->err.size())))));
    return toolsOf(Facts(result->out));
}

} // namespace ddp::remote
