#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is needed, builds the release, and opens the window on the demo: the bug, reproduced on this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<HELP
usage: bash app/demo.sh [--case CASE] [--headless OUT.png]

Reproduces "DDP expects same model across all ranks" with libtorch's own check on this machine (no GPU, no cluster),
judges the run, and shows verdict and timeline.
  --case CASE         missing-model (default), lost-collective, hang, or healthy
  --headless OUT.png  no window: write the same content to a picture and print the verdict

Installs the missing ones of these Debian packages (as root, or by sudo without a password):
$(awk '$1 == "build" {print "  " $2}' resources/packages.txt)
then builds the preset "release" in build/release.
HELP
}

case=missing-model
headless=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --case) case=${2:?"--case needs a name, see --help"}; shift 2 ;;
    --headless) headless=$(realpath -m "${2:?"--headless needs a file name, see --help"}"); shift 2 ;;
    *) echo "demo.sh: $1 is not known, see --help" >&2; exit 64 ;;
    esac
done

if [ -z "$headless" ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "demo.sh: there is no display here, so no window can open. The same content as a picture:" >&2
    echo "demo.sh:   bash app/demo.sh --headless demo.png" >&2
    exit 69
fi

bash resources/install_packages.sh build
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset release >"$log" 2>&1 || { cat "$log"; exit 1; }
cmake --build --preset release --target ddpscope ddpscope-cli ddpscope-worker

if [ -n "$headless" ]; then
    build/release/bin/ddpscope --demo "$case" --headless "$headless"
    echo "The window's content is in $headless"
else
    build/release/bin/ddpscope --demo "$case"
fi
