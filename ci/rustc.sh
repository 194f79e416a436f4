#!/bin/bash
# rustc by way of sccache, as RUSTC_WRAPPER; $SCCACHE is its program. Where the kernels of a package are, and which profile asks, is
# nothing to a crate of others: it is compiled once for all packages. With $OWN_CRATES_ANEW only those come from the cache.
set -eu

if [[ $PWD == */registry/src/* ]]; then
  unset CARGO_ENCODED_RUSTFLAGS "${!CARGO_PROFILE_@}"
  arguments=()
  for argument; do
    [[ $argument == --remap-path-prefix=*=kernels ]] || arguments+=("$argument")
  done
  set -- "${arguments[@]}"
elif [[ -n ${OWN_CRATES_ANEW:-} ]]; then
  exec "$@"
fi
exec "$SCCACHE" "$@"
