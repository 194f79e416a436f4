#!/usr/bin/env bash
# Scaffolds packages with target/debug/cuvec-new, lints, builds, installs and tests them: ci/package, two packages
# at a time: much of it runs on one core. Arguments go to pytest.
set -euo pipefail

# What is the same in several packages, crates and the host in C++, is compiled once for all of them, where there is
# sccache.
if command -v sccache >/dev/null; then
  export RUSTC_WRAPPER=sccache CMAKE_C_COMPILER_LAUNCHER=sccache CMAKE_CXX_COMPILER_LAUNCHER=sccache
  export SCCACHE_DIR=$CI_TOOLS/sccache
  export SCCACHE_SERVER_PORT=$((20000 + $$ % 20000)) # a server of this run's own, which it may stop
  trap 'sccache --stop-server >/dev/null 2>&1 || true' EXIT # there is none if nothing was compiled lately
fi

cd ci/package
python -m pytest -c pytest.toml --numprocesses=2 "$@"
