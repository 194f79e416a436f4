#!/usr/bin/env bash
# The generator: clippy, its tests, and its crate as it is published.
set -euo pipefail

cargo clippy --all-targets --locked -- -D warnings
# Fuzzing needs a nightly compiler; checking that the fuzz target compiles does not.
cargo clippy --manifest-path fuzz/Cargo.toml --target-dir target --no-default-features --locked -- -D warnings

if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --locked
  # nextest does not run the examples in the documentation
  cargo test --doc --locked --quiet
else
  cargo test --locked
fi

# A crate leaves out the crates inside of it: `runtime/` is in it as an archive.
git archive -o runtime.tar HEAD:runtime
trap 'rm -f runtime.tar' EXIT
cargo package --locked --allow-dirty --target-dir target # its dependencies are already compiled there
