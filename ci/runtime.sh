#!/usr/bin/env bash
# The vendored runtime where it stands: formatters, linters, and the tests of its crates. The conformance tests are run by
# ci/package/test_runtime.py, in the wheels that they need.
set -euo pipefail

# From here: in runtime/ its own folder dask/ would pass for Dask.
ruff check --no-cache --config ci/runtime.ruff.toml runtime
ruff format --check --no-cache --config ci/runtime.ruff.toml runtime

cd runtime
# shellcheck disable=SC2046 # names without blanks
clang-format --style=file:../templates/common/.clang-format --dry-run -Werror $(git ls-files '*.h' '*.hpp' '*.cu' '*.cuh' '*.cpp' '*.c')
cargo fmt --all --check
# A test of the core builds a library of functions; CMake is no tool of the other steps, since packages bring their own.
python -m pip install --quiet --upgrade --target "$CI_TOOLS/cmake" cmake
CMAKE=$CI_TOOLS/cmake/cmake/data/bin/cmake ./check cargo
