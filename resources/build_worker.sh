# Builds the worker in the folder where it is started; its exit code is kept in the file rc, last of all.
trap 'code=$?; echo $code >rc.new && mv -f rc.new rc' EXIT
tar xzf source.tar.gz -C source || exit
generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
cmake -S source/remote/worker -B build "${generator[@]}" -DCMAKE_BUILD_TYPE=Release "$@" || exit
cmake --build build --parallel "$DDPSCOPE_PROCESSES" || exit
build/bin/ddpscope-worker --version || exit
mkdir -p -- "${DDPSCOPE_WORKER%/*}" && cp -- build/bin/ddpscope-worker "$DDPSCOPE_WORKER.$$" &&
    mv -f -- "$DDPSCOPE_WORKER.$$" "$DDPSCOPE_WORKER"
