// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/local/local_transport.h"
#include "tests/support/temp_folder.h"
#include "ui/main_window.h"

#include <QAction>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace ddp::test {

/// A real window with folders of its own: nothing of the user is read or written.
class WindowHarness {
public:
    explicit WindowHarness(const std::string& worker = std::string(DDP_BIN_DIR) + "/ddpscope-worker") {
        ui::Services services;
        services.makeLocalTransport = [] { return remote::makeLocalTransport(); };
        services.workerPath = worker;
        services.workFolder = m_folder.path() / "jobs";
        services.runsFolder = m_folder.path() / "runs";
        services.clustersFile = m_folder.path() / "clusters.json";
        services.jobsFile = m_folder.path() / "history.sqlite";
        services.sshConfig = m_folder.path() / "ssh_config";
        services.hostName = QStringLiteral("testhost");
        services.settingsFile = QString::fromStdString((m_folder.path() / "settings.ini").string());
        m_services = services;
        open();
    }

    void open() {
        m_window = std::make_unique<ui::MainWindow>(m_services, ui::ThemeMode::Light);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void closeForGood() { m_window.reset(); }

    ui::MainWindow& window() { return *m_window; }
    const std::filesystem::path& folder() const { return m_folder.path(); }
    template <class T>
    T* child(const char* name = nullptr) {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }
    void trigger(const char* action) {
        auto* found = child<QAction>(action);
        QVERIFY2(found, action);
        found->trigger();
    }
    bool waitUntilIdle(int milliseconds = 120'000) {
        return QTest::qWaitFor([this] { return m_window->idle(); }, milliseconds);
    }
    /// Processes whose command line names this harness's folder: the job and its workers.
    int processes() const { return processesNaming(m_folder.path().string()); }

    static int processesNaming(const std::string& text) {
        int count = 0;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
            const std::string pid = entry.path().filename().string();
            if (pid.find_first_not_of("0123456789") != std::string::npos)
                continue;
            std::ifstream file(entry.path() / "cmdline", std::ios::binary);
            std::string words;
            std::getline(file, words); // a process may end while it is looked at: then this is empty
            count += words.find(text) != std::string::npos ? 1 : 0;
        }
        return count;
    }

private:
    TempFolder m_folder;
    ui::Services m_services;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace ddp::test
