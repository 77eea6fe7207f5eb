#!/usr/bin/env bash
# Every C++ file is as clang-format leaves it.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h')
if ! clang-format --dry-run -Werror "${files[@]}" 2>format.log; then
    grep -E '^[^ ].*: error' format.log | cut -d: -f1 | sort | uniq -c | sed 's/^/Format: /'
    rm -f format.log
    echo "Format: repair with: clang-format -i FILE"
    exit 1
fi
rm -f format.log
echo "Format: ${#files[@]} files in order"
