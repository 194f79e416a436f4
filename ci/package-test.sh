#!/usr/bin/env bash
# Scaffolds packages with target/debug/cuvec-new, lints, builds, installs and tests them: ci/package, two packages
# at a time: much of it runs on one core. Arguments go to pytest.
set -euo pipefail

# What is the same in several packages, crates and the host in C++, is compiled once for all of them, where there is
# sccache. Not kernels: the path of their file is in what it compares.
if command -v sccache >/dev/null; then
  export RUSTC_WRAPPER=sccache CMAKE_C_COMPILER_LAUNCHER=sccache CMAKE_CXX_COMPILER_LAUNCHER=sccache
  export SCCACHE_DIR=$CI_TOOLS/sccache SCCACHE_IDLE_TIMEOUT=0
  # A server of this run's own, at a port that is free.
  SCCACHE_SERVER_PORT=$(python -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
  export SCCACHE_SERVER_PORT
  SCCACHE_START_SERVER=1 SCCACHE_NO_DAEMON=1 sccache &
  export SCCACHE_SERVER=$! # for the table of times
  trap 'kill "$SCCACHE_SERVER" || true' EXIT
fi

# Warnings are errors in every build: what is compiled for one then serves the others, too.
export SKBUILD_CMAKE_DEFINE=STRICT=ON

cd ci/package
python -m pytest -c pytest.toml --numprocesses=2 "$@"
