// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/peer_store.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>

namespace ddp::worker {

namespace {

// How often a key that is not there yet is looked for; each look is a round trip to the host.
constexpr useconds_t kPollMicroseconds = 10'000;

std::string key(const char* what, int rank) {
    return std::string(what) + "/" + std::to_string(rank);
}

/// Rank 0's port, as our parent passes it on.
int portFromParent(int socket) {
    std::string line;
    char c = 0;
    for (ssize_t length = 1; length > 0 || errno == EINTR;) {
        length = ::read(socket, &c, 1);
        if (length > 0 && c == '\n')
            break;
        if (length > 0)
            line += c;
        if (length == 0)
            throw std::runtime_error("Connection closed by peer: the parent of the ranks is gone");
    }
    return std::atoi(line.c_str() + line.find(' ') + 1);
}

} // namespace

PeerStore::PeerStore(RankSession& session) : m_session(session) {
    const RankPlace& place = session.place();
    int port = place.storePort;
    if (port == 0 && !place.hostsStore)
        port = portFromParent(place.parentSocket);
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(port);
    options.isServer = place.hostsStore;
    options.waitWorkers = false; // the facts do that, with a sentence about who is missing
    // Earlier than the watchdog, so that the store's own words about an unreachable host are heard.
    options.timeout = std::chrono::milliseconds(session.nsLeft() / 1'000'000 * 9 / 10);
    const auto store = c10::make_intrusive<c10d::TCPStore>(place.storeHost, options);
    if (place.storePort == 0 && place.hostsStore)
        tellParent(place, "port " + std::to_string(store->getPort()) + "\n");
    m_store = c10::make_intrusive<c10d::PrefixStore>(place.storePrefix, store);
}

compat::Store PeerStore::groupStore() const {
    return c10::make_intrusive<c10d::PrefixStore>("group", m_store);
}

std::optional<std::string> PeerStore::read(const std::string& name) {
    if (!m_store->check({name})) // get() would wait
        return std::nullopt;
    const auto bytes = m_store->get(name);
    return std::string(bytes.begin(), bytes.end());
}

void PeerStore::write(const std::string& name, const std::string& text) {
    m_store->set(name, std::vector<std::uint8_t>(text.begin(), text.end()));
}

void PeerStore::publishStage(const char* stage) {
    try {
        write(key("stage", m_session.place().rank), stage);
    } catch (const std::exception&) {
        return;
    }
}

void PeerStore::publishFacts(const records::Facts& facts) {
    write(key("facts", m_session.place().rank),
          std::to_string(facts.tensors) + " " + std::to_string(facts.elements));
}

records::StoreView PeerStore::view(std::int64_t patienceEndNs) {
    records::StoreView view;
    for (int rank = 0; rank < m_session.place().worldSize; ++rank) {
        auto facts = read(key("facts", rank));
        while (!facts && monotonicNs() < patienceEndNs) {
            ::usleep(kPollMicroseconds);
            facts = read(key("facts", rank));
        }
        records::StoreView::Peer peer;
        peer.rank = rank;
        if (facts)
            peer.tensors = std::strtoll(facts->c_str(), nullptr, 10);
        view.peers.push_back(peer);
    }
    for (auto& peer : view.peers) // at last, so that all stages are of the same moment
        peer.stage = read(key("stage", peer.rank));
    return view;
}

void PeerStore::leave(std::int64_t patienceEndNs) {
    const RankPlace& place = m_session.place();
    write(key("done", place.rank), "1");
    if (!place.hostsStore)
        return;
    for (int rank = 0; rank < place.worldSize; ++rank) {
        while (!read(key("done", rank)) && monotonicNs() < patienceEndNs)
            ::usleep(kPollMicroseconds);
    }
}

} // namespace ddp::worker
