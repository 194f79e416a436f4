#!/usr/bin/env bash
# Scaffolds packages with target/debug/cuvec-new, lints, builds, installs and tests them: ci/package, two packages
# at a time: much of it runs on one core. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp --directory) # of all that the tests make; after a failure it is left there
packages=$(PYTHONPATH=ci/package python -c 'import generator; print(*generator.combinations())')
folders=() # packages, where they are built, and environments with headers that they include
for worker in "$folder"/popen-gw{0,1}; do
  for package in $packages; do
    own="$worker/${package}0/my dir ü" # conftest.py
    for name in "$own" "${own/ü/'\303\274'}"; do # as the compiler writes it
      folders+=("$name" "$name"/{,added/,developer/,strict/}mypkg "$name"/{build-tools,developer/mypkg/.venv})
      folders+=("$name"/{wheel,runtime,strict,added}-build)
    done
  done
  folders+=("$worker"/{cpp0,checkout0,test_an_updated_package_builds{0,1}}/mypkg)
  folders+=("$worker"/{checkout0,test_an_updated_package_builds{0,1}}/build)
  folders+=("$worker"/{cpp-tools0,example0/venv,test_an_updated_package_builds{0,1}/venv})
  for example in examples/*/pyproject.toml; do
    folders+=("$worker/examples0/$(basename "$(dirname "$example")")"{,-build,-venv})
  done
done
source ci/sccache.sh "${folders[@]}"
NVCC_CACHE=$(mktemp --directory) # ci/nvcc.sh
export NVCC_CACHE

# Warnings are errors in every build: what is compiled for one then serves the others, too.
export SKBUILD_CMAKE_DEFINE=STRICT=ON

cd ci/package
python -m pytest -c pytest.toml --numprocesses=2 --basetemp="$folder" "$@"
rm -rf "$folder" "$NVCC_CACHE"
