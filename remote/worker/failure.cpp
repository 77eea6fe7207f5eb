// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/failure.h"

#include <algorithm>
#include <array>

namespace ddp::worker {

namespace {

// What the sockets of Gloo and of the store say when the process at their other end is gone.
constexpr std::array kPeerGone = {
    "Connection closed by peer", "Connection reset by peer",    "Broken pipe",
    "Connection refused",        "failed to recv, got 0 bytes", "Socket closed"};
// They wait longer than the deadlines of ours, so a text of these means that a peer did not come.
constexpr std::array kPeerLate = {"Timed out", "timed out", "Socket Timeout", "Wait timeout"};
constexpr std::array kEnvironment = {
    "Address already in use", "Unable to find address for", "The server socket has failed to listen",
    "nodename nor servname",  "Name or service not known",  "Temporary failure in name resolution"};

template <std::size_t N>
bool hasOneOf(const std::string& text, const std::array<const char*, N>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return text.find(part) != std::string::npos; });
}

} // namespace

std::string withoutBacktrace(const std::string& what) {
    std::string text = what.substr(0, what.find("\nException raised from"));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

bool isParameterCountFault(const std::string& what) {
    return what.find("DDP expects same model across all ranks") != std::string::npos;
}

Failure failureOf(const std::string& stage, const std::string& what) {
    const std::string text = withoutBacktrace(what);
    if (hasOneOf(text, kEnvironment))
        return {records::kExitUsage, "environment", "*** NOT RUNNABLE HERE: stage " + stage + " ***", text};
    if (hasOneOf(text, kPeerGone))
        return {records::kExitNodeFault, "peer", "*** A PEER IS GONE in stage " + stage + " ***", text};
    if (hasOneOf(text, kPeerLate))
        return {records::kExitHang, "peer", "*** A PEER DID NOT ANSWER in stage " + stage + " ***", text};
    return {records::kExitNodeFault, "node", "*** NODE CHECK FAILED in stage " + stage + " ***", text};
}

} // namespace ddp::worker
