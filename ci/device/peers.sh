#!/usr/bin/env bash
# peers.sh PYTHON FOLDER: puts wheels into FOLDER of what the packages' tests need and a machine with a GPU may lack.
# PyCUDA has no wheels: it is built here, without a CUDA toolkit. nvcc and the headers are those from PyPI, and a library
# without any symbol stands in for the driver's, which only has to be there when it is imported.
set -euo pipefail
python=$1 folder=$(realpath -m "$2")
hypothesis=hypothesis==6.170.15
pycuda=pycuda==2026.1

[[ -e $folder/complete ]] && exit
rm -rf "$folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/venv"
pip="$work/venv/bin/pip"
"$pip" install --quiet setuptools wheel numpy 'cuda-toolkit[nvcc,cudart]==13.0.*' 'nvidia-cuda-profiler-api==13.0.*'
"$pip" download --quiet --only-binary=:all: --dest "$folder" "$hypothesis" mako platformdirs pytools siphash24
"$pip" download --quiet --only-binary=:all: --no-deps --dest "$folder" array-api-compat array-api-extra \
  dask distributed locket partd tblib tornado zict
"$pip" download --quiet --no-binary=pycuda --no-deps --no-build-isolation --dest "$work" "$pycuda"
tar -xf "$work"/pycuda-*.tar.gz --strip-components=1 -C "$work"

cuda=$("$work/venv/bin/python" -c 'import nvidia.cu13; print(*nvidia.cu13.__path__)')
gcc -shared -o "$work/libcuda.so" -Wl,-soname,libcuda.so.1 -x c /dev/null
cd "$work"
venv/bin/python configure.py --cuda-root="$cuda" --no-cuda-enable-curand --cudadrv-lib-dir="$work" --cudart-libname= >/dev/null
# The linker would leave out a library from which nothing is used.
export LDFLAGS=-Wl,--no-as-needed
PATH=$cuda/bin:$PATH "$pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder" .
touch "$folder/complete"
