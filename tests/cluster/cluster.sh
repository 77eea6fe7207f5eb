#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A real Slurm on this machine, in one folder, all ports on 127.0.0.1, nothing in /etc touched. Needs root.
#   cluster.sh start DIR    four nodes with two (fake) GPUs each; prints SLURM_CONF=… when they are idle
#   cluster.sh stop DIR
set -euo pipefail

verb=${1:-}
dir=${2:-}
if [ -z "$dir" ] || { [ "$verb" != start ] && [ "$verb" != stop ]; }; then
    sed -n '3,5s/^# //p' "$0"
    exit 64
fi

free_port() {
    local port
    for _ in $(seq 200); do
        port=$((20000 + RANDOM % 40000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
    echo "cluster.sh: no free port found" >&2
    exit 1
}

start_munge() {
    mkdir -p -m 711 "$dir/munge"
    (umask 377; head -c 1024 /dev/urandom >"$dir/munge/key")
    munged --force --socket="$dir/munge/munge.socket" --key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
        --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
}

write_configuration() {
    local first
    # Four ports in a row for the four nodes.
    while :; do
        first=$(free_port)
        local free=yes
        for offset in 1 2 3; do
            (exec 3<>"/dev/tcp/127.0.0.1/$((first + offset))") 2>/dev/null && free=no
        done
        [ $free = yes ] && break
    done
    cat >"$dir/slurm.conf" <<CONF
ClusterName=ddpscope
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$dir/munge/munge.socket
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdSpoolDir=$dir/spool/%n
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmdLogFile=$dir/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
GresTypes=gpu
KillWait=5
NodeName=node[01-04] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$first-$((first + 3))] CPUs=2 RealMemory=1000 Gres=gpu:2 State=UNKNOWN
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    # Slurm wants character devices for its GPUs; these lead nowhere.
    mkdir -p "$dir/dev"
    for gpu in 0 1; do
        [ -c "$dir/dev/nvidia$gpu" ] || mknod "$dir/dev/nvidia$gpu" c 1 3
    done
    echo "NodeName=node[01-04] Name=gpu File=$dir/dev/nvidia[0-1]" >"$dir/gres.conf"
}

start() {
    mkdir -p "$dir/state"
    dir=$(realpath "$dir")
    for node in 01 02 03 04; do mkdir -p "$dir/spool/node$node"; done
    start_munge
    write_configuration
    export SLURM_CONF=$dir/slurm.conf
    slurmctld
    for node in 01 02 03 04; do
        slurmd -N "node$node" || {
            echo "cluster.sh: slurmd does not start for node$node:" >&2
            tail -n 3 "$dir/slurmd.node$node.log" >&2
            stop
            exit 1
        }
    done
    for _ in $(seq 100); do
        if [ "$(sinfo -h -N -o '%N %t' 2>/dev/null | grep -c ' idle$')" = 4 ]; then
            echo "SLURM_CONF=$SLURM_CONF"
            return
        fi
        sleep 0.2
    done
    echo "cluster.sh: the nodes did not become idle in 20 s; the logs are in $dir" >&2
    sinfo -N -o '%N %t %E' >&2 || true
    stop
    exit 1
}

stop() {
    local file
    for file in "$dir"/slurmd.*.pid "$dir/slurmctld.pid" "$dir/munge/pid"; do
        [ -s "$file" ] && kill "$(cat "$file")" 2>/dev/null || true
    done
}

$verb
