# Builds the worker from source.tar.gz in the folder where it is started; its exit code is kept in the file rc, last of
# all. The build itself is in a temporary folder of this machine: faster, and CMake takes no path with quotes in it.
scratch=
trap 'code=$?; rm -rf -- "$scratch"; echo $code >rc.new && mv -f rc.new rc' EXIT
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ddpscope-build-XXXXXX") || exit
tar xzf source.tar.gz -C "$scratch" || exit
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
cmake -S "$scratch/remote/worker" -B "$scratch/build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release "$@" || exit
cmake --build "$scratch/build" --parallel "$DDPSCOPE_PROCESSES" || exit
# Beside its place first, and tried there: what runs jobs never sees half of it.
mkdir -p -- "${DDPSCOPE_WORKER%/*}" && cp -- "$scratch/build/bin/ddpscope-worker" "$DDPSCOPE_WORKER.$$" || exit
"$DDPSCOPE_WORKER.$$" --version && mv -f -- "$DDPSCOPE_WORKER.$$" "$DDPSCOPE_WORKER"
