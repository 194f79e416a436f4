# shellcheck shell=bash
# What several packages have in common is compiled once for all of them: crates, and the host in C++.
# `source ci/sccache.sh FOLDER…`, after environment.sh. Packages are made in these folders: their paths do not count.

SCCACHE_BASEDIRS=$(IFS=: && echo "$*")
export SCCACHE_BASEDIRS
SCCACHE=$(command -v sccache) # also where PATH has no such program, or another one
export SCCACHE CMAKE_{C,CXX}_COMPILER_LAUNCHER="$SCCACHE"
RUSTC_WRAPPER=$(realpath "${BASH_SOURCE[0]%/*}/rustc.sh")
export RUSTC_WRAPPER
export SCCACHE_DIR=$CI_TOOLS/sccache SCCACHE_IDLE_TIMEOUT=0
# A server of this run's own, at a port that is free.
SCCACHE_SERVER_PORT=$(python -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
export SCCACHE_SERVER_PORT
SCCACHE_START_SERVER=1 SCCACHE_NO_DAEMON=1 sccache &
export SCCACHE_SERVER=$! # for the table of times
trap 'kill "$SCCACHE_SERVER" || true' EXIT
