#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages of resources/packages.txt that are missing: install_packages.sh GROUP...
set -euo pipefail

list=$(dirname "${BASH_SOURCE[0]}")/packages.txt

wanted() { awk -v groups=" $* " '!/^#/ && NF && index(groups, " " $1 " ") {print $2}' "$list"; }

missing() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

command -v apt-get >/dev/null || {
    echo "ddpscope: this script installs by apt-get, which this machine has not. Install what" \
         "resources/packages.txt names by your own package manager, then build with: cmake --preset release" >&2
    exit 1
}

mapfile -t all < <(wanted "$@")
mapfile -t need < <(missing "${all[@]}")
[ ${#need[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
        echo "ddpscope: these packages are missing, and only root can install them: ${need[*]}" >&2
        echo "ddpscope: run as root: apt-get install --no-install-recommends ${need[*]}" >&2
        exit 1
    fi
    as_root=(sudo -n)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"; }

echo "Installing ${#need[@]} packages: ${need[*]}"
# An outdated list is no reason to stop: what is installed may be enough, and install says what is not to be had.
apt update >"$log" 2>&1 || true
if ! apt install --no-install-recommends "${need[@]}" >>"$log" 2>&1; then
    # One package that is not to be had must not hide the others' state: name exactly what is missing.
    for package in "${need[@]}"; do
        apt install --no-install-recommends "$package" >>"$log" 2>&1 || true
    done
fi
mapfile -t still < <(missing "${need[@]}")
if [ ${#still[@]} -gt 0 ]; then
    tail -n 15 "$log" >&2
    for package in "${still[@]}"; do
        echo "ddpscope: the package $package could not be installed (Debian 12 has it; is the package source reachable?)" >&2
    done
    exit 1
fi
