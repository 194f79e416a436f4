#!/usr/bin/env bash
# Builds cargo-generate, which has to make of `cuvec-new export` what `cuvec-new` makes, in target/ci. If that is being done
# already, waits for it.
set -euo pipefail

version=0.23.14
folder=$CI_TOOLS/cargo-generate
mkdir -p "$folder"
exec {lock}>"$folder/lock"
flock "$lock"
if [[ $("$folder/bin/cargo-generate" --version 2>/dev/null) == *" $version" ]]; then
  exit
fi

# The settings that compile fastest: the tests run it a hundred times, for a quarter of a second each.
export CARGO_INCREMENTAL=0
export CARGO_PROFILE_DEV_CODEGEN_UNITS=4
export CARGO_PROFILE_DEV_DEBUG=0
export CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=false
export CARGO_PROFILE_DEV_OVERFLOW_CHECKS=false
export CARGO_PROFILE_DEV_PANIC=abort
cargo install --quiet --locked --debug --no-default-features --root "$folder" --target-dir "$folder/build" "cargo-generate@$version"
rm -r "$folder/build"
