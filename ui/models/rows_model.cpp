// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rows_model.h"

#include <algorithm>
#include <limits>

namespace ddp::ui {

namespace {

template <class Key>
std::vector<std::size_t> placesBy(const std::vector<Key>& keys, Qt::SortOrder order) {
    std::vector<std::size_t> places(keys.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const bool down = order == Qt::DescendingOrder;
    std::ranges::stable_sort(
        places, [&](std::size_t a, std::size_t b) { return down ? keys[b] < keys[a] : keys[a] < keys[b]; });
    return places;
}

} // namespace

std::vector<std::size_t> sortedPlaces(const std::vector<QVariant>& keys, Qt::SortOrder order) {
    // A hundred thousand rows are sorted while the user waits, and to compare variants takes ten times as
    // long.
    if (std::ranges::none_of(keys, [](const QVariant& key) { return key.typeId() == QMetaType::QString; })) {
        std::vector<double> numbers;
        numbers.reserve(keys.size());
        for (const QVariant& key : keys)
            numbers.push_back(key.isValid() ? key.toDouble() : -std::numeric_limits<double>::infinity());
        return placesBy(numbers, order);
    }
    std::vector<std::pair<int, QString>> texts;
    texts.reserve(keys.size());
    for (const QVariant& key : keys)
        texts.emplace_back(key.isValid() ? 1 : 0, key.toString());
    return placesBy(texts, order);
}

} // namespace ddp::ui
