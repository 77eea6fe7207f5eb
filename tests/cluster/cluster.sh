#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A real Slurm on this machine, in one folder, all ports on 127.0.0.1, nothing in /etc touched. Needs root.
#   cluster.sh start DIR [--accounting] [--owner PID]    four nodes with two (fake) GPUs each, with slurmdbd and MariaDB
#                         on demand; prints SLURM_CONF=… when they are idle. When process PID ends, everything is stopped.
#   cluster.sh stop DIR   ends the daemons, the jobs and what the jobs left
#   cluster.sh controller-stop|controller-start|controller-forget DIR    forget: it starts anew and knows no job any more
#   cluster.sh node-stop|node-start DIR NODE
#   cluster.sh node-gpus DIR NODE COUNT    how many GPUs slurmd finds on the node from its next start on
set -euo pipefail

verb=${1:-}
dir=${2:-}
case $verb in
start | stop | controller-stop | controller-start | controller-forget | node-stop | node-start | node-gpus) ;;
*) dir= ;;
esac
if [ -z "$dir" ]; then
    sed -n '3,9s/^# //p' "$0"
    exit 64
fi
shift 2
mkdir -p "$dir"
dir=$(realpath "$dir")
nodes=(node01 node02 node03 node04)

trouble() {
    echo "cluster.sh: $1" >&2
    [ -z "${2:-}" ] || tail -n 5 "$2" >&2 || true
    stop
    exit 1
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_ports COUNT: the first of so many free ports in a row
free_ports() {
    local first port
    for _ in $(seq 200); do
        first=$((20000 + RANDOM % 12000))
        for ((port = first; port < first + $1; ++port)); do port_is_free $port || continue 2; done
        echo $first
        return
    done
    echo "cluster.sh: no free port found" >&2
    exit 1
}

# wait_for SECONDS COMMAND…
wait_for() {
    local tries=$(($1 * 10))
    shift
    for _ in $(seq $tries); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    return 1
}

start_munge() {
    mkdir -p -m 711 "$dir/munge"
    (umask 377; head -c 1024 /dev/urandom >"$dir/munge/key")
    munged --force --socket="$dir/munge/munge.socket" --key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
        --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
}

start_database() {
    local database=$1 dbd=$2 password
    password=$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')
    mariadb-install-db --no-defaults --user=root --datadir="$dir/mariadb" --auth-root-authentication-method=socket \
        --skip-test-db >"$dir/mariadb.log" 2>&1 || trouble "the database can not be set up:" "$dir/mariadb.log"
    mariadbd --no-defaults --user=root --datadir="$dir/mariadb" --socket="$dir/mariadb.socket" --port="$database" \
        --bind-address=127.0.0.1 --pid-file="$dir/mariadb.pid" --log-error="$dir/mariadb.log" \
        --innodb-buffer-pool-size=16M --innodb-log-file-size=8M --innodb-flush-log-at-trx-commit=0 </dev/null >/dev/null 2>&1 &
    wait_for 20 mariadb-admin --no-defaults --socket="$dir/mariadb.socket" ping ||
        trouble "the database does not answer:" "$dir/mariadb.log"
    mariadb --no-defaults --socket="$dir/mariadb.socket" -e \
        "create user slurm@'127.0.0.1' identified by '$password', slurm@localhost identified by '$password';
         grant all on *.* to slurm@'127.0.0.1'; grant all on *.* to slurm@localhost;"
    (umask 177; cat >"$dir/slurmdbd.conf") <<CONF
AuthType=auth/munge
AuthInfo=socket=$dir/munge/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$dbd
SlurmUser=root
PidFile=$dir/slurmdbd.pid
LogFile=$dir/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$database
StorageUser=slurm
StoragePass=$password
StorageLoc=slurm
CONF
    slurmdbd
    wait_for 20 sacctmgr -n show cluster || trouble "slurmdbd does not answer:" "$dir/slurmdbd.log"
    sacctmgr -i add cluster ddpscope >/dev/null
}

write_gres() {
    local node
    for node in "${nodes[@]}"; do
        # Slurm wants character devices for its GPUs; these lead nowhere.
        case $(cat "$dir/gpus.$node" 2>/dev/null || echo 2) in
        2) echo "NodeName=$node Name=gpu File=$dir/dev/nvidia[0-1]" ;;
        1) echo "NodeName=$node Name=gpu File=$dir/dev/nvidia0" ;;
        0) ;;
        esac
    done >"$dir/gres.conf"
}

# write_configuration FIRST_PORT DBD_PORT: an empty DBD_PORT is a cluster without accounting
write_configuration() {
    local first=$1 dbd=$2 accounting=
    [ -z "$dbd" ] || accounting="AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$dbd
AccountingStoragePass=$dir/munge/munge.socket
JobAcctGatherFrequency=1"
    cat >"$dir/slurm.conf" <<CONF
ClusterName=ddpscope
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$((first + 4))
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
SlurmdTimeout=20
$accounting
NodeName=node[01-04] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$first-$((first + 3))] CPUs=2 RealMemory=1000 Gres=gpu:2 Feature=fake,intel State=UNKNOWN
PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=short Nodes=node[01-02] MaxTime=30 DefaultTime=10 State=UP
CONF
    mkdir -p "$dir/dev"
    for gpu in 0 1; do
        [ -c "$dir/dev/nvidia$gpu" ] || mknod "$dir/dev/nvidia$gpu" c 1 3
    done
    write_gres
}

node_start() {
    mkdir -p "$dir/spool/$1"
    SLURM_CONF=$dir/slurm.conf slurmd -N "$1" || trouble "slurmd does not start for $1:" "$dir/slurmd.$1.log"
}

# A zombie has ended, whoever collects it.
has_ended() { ! grep -qE '^State:[[:space:]]+[^ZX]' "/proc/$1/status" 2>/dev/null; }

# By its process id file, until it has ended.
end_daemon() {
    local pid
    [ -s "$1" ] || return 0
    pid=$(cat "$1")
    kill "$pid" 2>/dev/null || return 0
    wait_for 5 has_ended "$pid" || kill -KILL "$pid" 2>/dev/null || true
}

# A test that is killed can not stop its cluster; this process does it then.
watch_owner() {
    setsid bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 1; [ -d "$3" ] || exit 0; done; bash "$2" stop "$3"; rm -rf "$3"' \
        ddpscope-cluster-guard "$1" "$(realpath "$0")" "$dir" </dev/null >/dev/null 2>&1 &
}

start() {
    local accounting= first
    while [ $# -gt 0 ]; do
        case $1 in
        --accounting) accounting=yes ;;
        --owner) shift; watch_owner "$1" ;;
        esac
        shift
    done
    mkdir -p "$dir/state"
    first=$(free_ports 7)
    start_munge
    write_configuration "$first" "${accounting:+$((first + 5))}"
    export SLURM_CONF=$dir/slurm.conf
    [ -z "$accounting" ] || start_database $((first + 6)) $((first + 5))
    slurmctld
    local node
    for node in "${nodes[@]}"; do node_start "$node"; done
    wait_for 20 all_idle || {
        sinfo -N -o '%N %t %E' >&2 || true
        trouble "the nodes did not become idle in 20 s" "$dir/slurmctld.log"
    }
    echo "SLURM_CONF=$SLURM_CONF"
}

all_idle() { [ "$(sinfo -h -N -p gpu -o '%N %t' 2>/dev/null | grep -c ' idle$')" = ${#nodes[@]} ]; }

# Everything that was started with our configuration: daemons, slurmstepd, and what jobs left behind.
ours() {
    local environment
    for environment in /proc/[0-9]*/environ; do
        { tr '\0' '\n' <"$environment"; } 2>/dev/null | grep -qxF "SLURM_CONF=$dir/slurm.conf" || continue
        environment=${environment#/proc/}
        echo "${environment%/environ}"
    done
}

stop() {
    unset SLURM_CONF
    local pids pid file
    for file in "$dir"/slurmd.*.pid "$dir/slurmctld.pid" "$dir/slurmdbd.pid"; do end_daemon "$file"; done
    mapfile -t pids < <(ours)
    for pid in "${pids[@]}"; do [ "$pid" = $$ ] || kill -KILL "$pid" 2>/dev/null || true; done
    for file in "$dir/mariadb.pid" "$dir/munge/pid"; do end_daemon "$file"; done
}

case $verb in
start) start "$@" ;;
stop) stop ;;
controller-stop) end_daemon "$dir/slurmctld.pid" ;;
controller-start) SLURM_CONF=$dir/slurm.conf slurmctld ;;
controller-forget)
    end_daemon "$dir/slurmctld.pid"
    SLURM_CONF=$dir/slurm.conf slurmctld -c
    ;;
node-stop) end_daemon "$dir/slurmd.$1.pid" ;;
node-start) node_start "$1" ;;
node-gpus)
    echo "$2" >"$dir/gpus.$1"
    write_gres
    ;;
esac
