# What of the worker's needs is here; lines NAME=VALUE. Runs in bash, after the user's own lines.
wanted_python=$1
echo "system=$(uname -s) $(uname -m)"
python=
for name in "$wanted_python" python3 python; do
    [ -n "$name" ] && python=$(command -v "$name") && break
done
torch=${TORCH_ROOT:-}
if [ -n "$python" ]; then
    facts=$(timeout 60 "$python" - <<'PYTHON'
import importlib.util, os, re, sys
print("python=%s" % sys.version.split()[0])
spec = importlib.util.find_spec("torch")
if spec and spec.origin:
    root = os.path.dirname(spec.origin)
    print("torch=" + root)
    try:
        with open(os.path.join(root, "version.py")) as file:
            text = file.read()
    except OSError:
        text = ""
    for name, pattern in (("torch_version", r"__version__\s*=\s*['\"]([^'\"]+)"), ("torch_cuda", r"cuda[^=\n]*=\s*['\"]([^'\"]+)")):
        found = re.search(pattern, text)
        if found:
            print(name + "=" + found.group(1))
    header = os.path.join(os.path.dirname(root), "nvidia", "nccl", "include")
    if os.path.exists(os.path.join(header, "nccl.h")):
        print("nccl=" + header)
PYTHON
    )
    echo "$facts"
    echo "python_path=$python"
    [ -n "$torch" ] || torch=$(echo "$facts" | sed -n 's/^torch=//p')
fi
header=torch/csrc/distributed/c10d/reducer.hpp
if [ -n "$torch" ] && [ -e "$torch/include/$header" ] && [ -e "$torch/lib/libtorch_cpu.so" ]; then
    echo "torch_root=$torch"
    include=$torch/include
elif [ -e "/usr/include/$header" ]; then
    include=/usr/include
else
    include=
fi
if [ -n "$include" ]; then
    echo "torch_include=$include"
    cat "$include/torch/version.h" "$include/torch/headeronly/version.h" "$include/torch/csrc/api/include/torch/version.h" 2>/dev/null |
        sed -n 's/^# *define TORCH_VERSION_\(MAJOR\|MINOR\|PATCH\) *\([0-9]*\).*/torch_\1=\2/p'
fi
nccl=$(echo "$facts" | sed -n 's/^nccl=//p')
for folder in "$nccl" "$NCCL_HOME/include" /usr/include /usr/local/cuda/include; do
    [ -e "$folder/nccl.h" ] || continue
    echo "nccl_header=$folder"
    sed -n 's/^# *define NCCL_\(MAJOR\|MINOR\|PATCH\) *\([0-9]*\).*/nccl_\1=\2/p' "$folder/nccl.h"
    break
done
echo "cuda=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
compiler=
for name in "$CXX" c++ g++ clang++; do
    [ -n "$name" ] && compiler=$(command -v "$name") && break
done
if [ -n "$compiler" ]; then
    echo "compiler_path=$compiler"
    echo "compiler=$("$compiler" --version 2>/dev/null | head -n 1)"
fi
echo "cmake=$(cmake --version 2>/dev/null | sed -n '1s/.* //p')"
for name in ninja make gmake; do
    command -v $name >/dev/null && echo "build_tool=$name" && break
done
if command -v otf2-config >/dev/null; then
    echo "otf2=$(otf2-config --version 2>/dev/null | sed -n 's/.*version[^0-9]*\([0-9][0-9.]*\).*/\1/p;q')"
    echo "otf2_there=yes"
elif [ -n "$compiler" ] && echo '#include <otf2/otf2.h>' | "$compiler" -E -x c++ - >/dev/null 2>&1; then
    echo "otf2_there=yes"
fi
exit 0
