#!/usr/bin/env bash
# Link order core <- remote <- ui <- app, no Qt below ui, and the worker sees one header of ours.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

status=0
# forbid WHAT PATTERN PATH…: an include that matches the pattern in these paths is an error
forbid() {
    local what=$1 pattern=$2
    shift 2
    local found
    found=$(git grep --untracked -nE "^ *# *include *[<\"]($pattern)" -- "$@")
    if [ -n "$found" ]; then
        printf 'Layers: %s:\n%s\n' "$what" "$found"
        status=1
    fi
}

forbid "core and remote know no Qt" 'Q[A-Z]|Qt|qcustomplot' core remote
forbid "core knows no higher layer" '(remote|ui|app|tests)/' core
forbid "remote knows no higher layer" '(ui|app|tests)/' remote
forbid "ui knows no higher layer" '(app|tests)/' ui
forbid "nothing outside the tests includes them" 'tests/' core remote ui app
forbid "QCustomPlot is used in ui/timeline and ui/plots only (and precompiled by ui/pch.h)" qcustomplot ui/main_window* ui/session ui/panels ui/models \
    ui/delegates ui/dialogs ui/tasks app
forbid "OTF2 is used in core/import/otf2, core/report/otf2 and the worker's trace only" 'otf2/' core/base core/records \
    core/store core/analysis core/triage core/history ':(glob)core/report/*' remote/transport remote/job remote/slurm ui app

# The worker runs where nothing else of ours is installed.
foreign=$(git grep --untracked -nE '^ *# *include *"(core|remote|ui|app)/' -- remote/worker |
    grep -vE '"(core/records/worker_records\.h|remote/worker/)')
if [ -n "$foreign" ]; then
    printf 'Layers: the worker includes only core/records/worker_records.h of ours:\n%s\n' "$foreign"
    status=1
fi
outside=$(git grep --untracked -nE '^ *# *include *"remote/worker/' -- core ui app remote/transport remote/job)
if [ -n "$outside" ]; then
    printf 'Layers: the worker is a program of its own, nothing includes it:\n%s\n' "$outside"
    status=1
fi
[ $status -eq 0 ] && echo "Layers: in order"
exit $status
