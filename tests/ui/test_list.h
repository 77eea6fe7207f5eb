// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTest>

#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace ddp::test {

/// A test class and the name by which CTest runs it.
struct NamedTest {
    const char* name;
    std::function<std::unique_ptr<QObject>()> make;
};

template <class T>
NamedTest named(const char* name) {
    return {name, [] { return std::make_unique<T>(); }};
}

/// Runs the class named by the first argument; all of them without one.
inline int runTests(int argc, char** argv, const std::vector<NamedTest>& tests) {
    const bool one = argc > 1 && argv[1][0] != '-';
    std::vector<char*> rest(argv, argv + argc);
    if (one)
        rest.erase(rest.begin() + 1);
    int failed = 0;
    bool found = false;
    for (const NamedTest& test : tests) {
        if (one && std::strcmp(argv[1], test.name) != 0)
            continue;
        found = true;
        const auto object = test.make();
        failed += QTest::qExec(object.get(), static_cast<int>(rest.size()), rest.data());
    }
    if (!found)
        std::fprintf(stderr, "There is no test class %s.\n", argv[1]);
    return found ? failed : 2;
}

} // namespace ddp::test
