#!/usr/bin/env bash
# .cpp: 400 lines soft, 700 hard; .h: 150 soft, 300 hard. A table of data may be longer and says "table of data" on top.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

status=0
while IFS= read -r file; do
    lines=$(wc -l <"$file")
    case $file in *.h) soft=150 hard=300 ;; *) soft=400 hard=700 ;; esac
    if [ "$lines" -gt $hard ] && ! head -n 8 "$file" | grep -qi 'table of data'; then
        echo "Sizes: $file has $lines lines, more than $hard"
        status=1
    elif [ "$lines" -gt $soft ]; then
        echo "Sizes: $file has $lines lines (soft limit $soft)"
    fi
done < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h')
[ $status -eq 0 ] && echo "Sizes: in order"
exit $status
