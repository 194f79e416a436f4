#!/usr/bin/env bash
# The vendored runtime where it stands: the tests of the build backend and of the build program, clippy and the tests of the crates.
# The conformance tests are run by ci/package/test_runtime.py, in the wheels that they need.
set -euo pipefail

cd runtime
python -m pytest -W error -p no:cacheprovider -q backend/tests compile/tests
# A test of the core builds a library of functions; CMake is no tool of the other steps, since packages bring their own.
python -m pip install --quiet --upgrade --target "$CI_TOOLS/cmake" cmake
CMAKE=$CI_TOOLS/cmake/cmake/data/bin/cmake ./check cargo
