#!/usr/bin/env bash
# Scaffolds packages with target/debug/cuvec-new, lints, builds, installs and tests them: ci/package, two packages
# at a time: much of it runs on one core. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp --directory) # of all that the tests make; after a failure it is left there
packages=$(PYTHONPATH=ci/package python -c 'import generator; print(*generator.combinations())')
folders=()
for package in $packages; do
  folders+=("$folder"/popen-gw{0,1}/"${package}0")
done
source ci/sccache.sh "${folders[@]}"

# Warnings are errors in every build: what is compiled for one then serves the others, too.
export SKBUILD_CMAKE_DEFINE=STRICT=ON

cd ci/package
python -m pytest -c pytest.toml --numprocesses=2 --basetemp="$folder" "$@"
rm -rf "$folder"
