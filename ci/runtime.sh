#!/usr/bin/env bash
# The vendored runtime where it stands: clippy and the tests of its crates and of the build backend. The conformance tests are run
# by ci/package/test_runtime.py, in the wheels that they need.
set -euo pipefail

cd runtime
python -m pytest -W error -p no:cacheprovider -q backend/tests
# A test of the core builds a library of functions; CMake is no tool of the other steps, since packages bring their own.
python -m pip install --quiet --upgrade --target "$CI_TOOLS/cmake" cmake
CMAKE=$CI_TOOLS/cmake/cmake/data/bin/cmake ./check cargo
