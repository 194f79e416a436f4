#!/usr/bin/env bash
# Scaffolds packages with the `cuvec-new` of this checkout, lints, builds, installs and tests them: ci/package, two tests at a time,
# since much of a build runs on one core; and bench/tests. Arguments go to pytest.
set -euo pipefail

cargo build --locked
folder=$(mktemp --directory) # of all that the tests make; it is left there after a failure
free=$(df --output=avail --block-size=G "$folder" | tail -1 | tr -dc 0-9)
((free >= 8)) || echo "ci/packages.sh: $folder has $free GB of free disk, and packages take up to 8; TMPDIR names another place" >&2
# A copy: maturin, which makes the wheel of `cuvec-new` in a test, takes what cargo has built away for a moment.
cp target/debug/cuvec-new "$folder"
export CUVEC_NEW=$folder/cuvec-new
# Warnings are errors in every build; and the core is compiled once, for all packages.
export SKBUILD_CMAKE_DEFINE=STRICT=ON CUVEC_CACHE=$folder/cache
cd ci/package
python -m pytest -c pytest.toml --numprocesses=2 --basetemp="$folder/tests" "$@" . ../../bench/tests
rm -rf "$folder"
