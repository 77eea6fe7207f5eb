#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is needed, builds everything with warnings as errors and sanitizers, and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = "--help" ] || [ "${1:-}" = "-h" ]; then
    cat <<HELP
usage: bash tests/run.sh [CTEST OPTION…]

Installs the missing ones of these Debian packages (as root, or by sudo without a password):
$(awk '!/^#/ && NF {print "  " $2}' resources/packages.txt)
then builds the preset "dev" (address and undefined-behaviour sanitizers) in build/dev and runs all tests.
Further options go to ctest, for example: bash tests/run.sh -R timeline
Tests that need the real data of ../shared skip, saying so, where it is not there.
HELP
    exit 0
fi

bash resources/install_packages.sh build test
log=$(mktemp)
# Lines are enough for a report of the sanitizers, and take less time than all that a debugger could ask for.
cmake --preset dev -DCMAKE_CXX_FLAGS_DEBUG=-g1 >"$log" 2>&1 || { cat "$log"; rm -f "$log"; exit 1; }
rm -f "$log"
cmake --build --preset dev
# Those that wait for a cluster leave the processors to others.
exec ctest --preset dev -j "$(($(nproc) + 1))" "$@"
