#!/usr/bin/env bash
# Makes a toolkit of CUDA 12 in a folder, which PyPI does not have as a whole: `ci/cuda12.sh FOLDER`. nvcc 12.4 is Debian's, from a
# package that is not installed; headers and the static runtime are from PyPI.
set -euo pipefail
mkdir -p "$1"
toolkit=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

mkdir -p state/lists/partial cache/archives/partial
touch status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] https://deb.debian.org/debian trixie non-free" >sources.list
apt=(apt-get -qq -o Dir::State="$PWD/state" -o Dir::State::status="$PWD/status" -o Dir::Cache="$PWD/cache"
  -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=/nonexistent)
"${apt[@]}" update
"${apt[@]}" download nvidia-cuda-toolkit
dpkg-deb -x nvidia-cuda-toolkit_*.deb deb

pypi() { uv pip install --quiet --no-deps --python-version 3.12 --target "$@"; }
pypi headers nvidia-cuda-nvcc-cu12==12.4.131 nvidia-cuda-runtime-cu12==12.4.127 nvidia-cuda-cccl-cu12==12.6.77
pypi static nvidia-cuda-runtime-cu12==12.9.79 # the first one with libcudart_static.a

mkdir -p "$toolkit"/{bin,include,lib,nvvm/bin,nvvm/libdevice}
cp deb/usr/bin/{__nvcc_device_query,bin2c,cudafe++,fatbinary,nvlink,ptxas} "$toolkit/bin"
cp -r deb/usr/lib/nvidia-cuda-toolkit/bin/{nvcc,crt} "$toolkit/bin"
cp deb/usr/lib/nvidia-cuda-toolkit/bin/cicc "$toolkit/nvvm/bin"
cp deb/usr/lib/nvidia-cuda-toolkit/libdevice/* "$toolkit/nvvm/libdevice"
for part in headers/nvidia/*/include; do cp -r "$part/." "$toolkit/include"; done
cp static/nvidia/cuda_runtime/lib/lib* "$toolkit/lib"
cat >"$toolkit/bin/nvcc.profile" <<'EOF'
TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib"
EOF
