#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the benchmarks as a user gets the program (preset release, in build/bench) and prints what is budgeted and what
# was measured. run.sh [PROGRAM] [OPTION…], for example: run.sh store_bench --benchmark_filter=import
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ cmake --preset release -B build/bench -DDDP_BENCH=ON && cmake --build build/bench --target ddp_benchmarks; } >"$log" 2>&1 ||
    { cat "$log"; exit 1; }
program=${1:-store_bench}
shift || true
build/bench/bench/"$program" "$@"
