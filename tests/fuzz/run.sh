#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds a fuzz target with clang, libFuzzer and the sanitizers, and runs it on one core.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ "${1:-}" = "--help" ] || [ "${1:-}" = "-h" ]; then
    cat <<'HELP'
usage: bash tests/fuzz/run.sh [TARGET] [RUNS]

TARGET  importer (default), store
RUNS    how many inputs to try (default 1000000)

Needs clang (Debian package clang), which tests/run.sh does not. What was learned is kept in
build/fuzz/corpus/TARGET for the next call; an input that breaks a promise, leaks, or takes more than ten seconds
is written to build/fuzz/finds. Put it into tests/fuzz/corpus/TARGET, where every test run tries it again.
HELP
    exit 0
fi
target=${1:-importer}
runs=${2:-1000000}

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "fuzz_$target" fuzz_make_seeds
corpus=build/fuzz/corpus/$target seeds=build/fuzz/seeds/$target
mkdir -p "$corpus" build/fuzz/finds
build/fuzz/tests/fuzz_make_seeds "$target" "$seeds"
# A small quarantine, because libotf2 takes and clears large buffers for every file; no weighting of rare inputs, because
# it costs more here than an input.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=8:malloc_context_size=8}
exec build/fuzz/tests/"fuzz_$target" -runs="$runs" -timeout=10 -rss_limit_mb=3000 -max_len=100000 -entropic=0 \
    -print_final_stats=1 -artifact_prefix=build/fuzz/finds/ "$corpus" "$seeds" tests/fuzz/corpus/"$target"
