// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <mutex>

namespace ddp::ui {

/// Brings answers of another thread to the UI thread, as long as somebody there wants them. Shared by both;
/// what still comes after close() is dropped.
class UiMailbox {
public:
    explicit UiMailbox(QObject& receiver) : m_receiver(&receiver) {}

    /// Any thread. `take` runs in the thread of the receiver.
    void deliver(const std::shared_ptr<UiMailbox>& self, std::function<void()> take) {
        const std::scoped_lock lock(m_mutex);
        if (m_receiver)
            QMetaObject::invokeMethod(
                m_receiver,
                [self, take = std::move(take)] {
                    if (self->m_receiver)
                        take();
                },
                Qt::QueuedConnection);
    }
    /// By the receiver's thread.
    void close() {
        const std::scoped_lock lock(m_mutex);
        m_receiver = nullptr;
    }

private:
    std::mutex m_mutex;
    QObject* m_receiver;
};

} // namespace ddp::ui
