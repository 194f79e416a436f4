#!/usr/bin/env bash
# The generator and the reader of declarations: clippy and tests. With `all` also what takes longer: tests of random input, of all
# exported templates and of updates of all combinations, the fuzz targets, and the crates as they are published.
set -euo pipefail

long=(--skip properties:: --skip exported_templates --skip real_templates --skip all_bindings_and_kernel_languages)
[[ ${1:-} != all ]] || long=()

cargo clippy --workspace --all-targets --locked -- -D warnings
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --workspace --locked -- "${long[@]}"
  # nextest does not run the examples in the documentation
  cargo test --workspace --doc --locked --quiet
else
  cargo test --workspace --locked -- "${long[@]}"
fi
[[ ${1:-} == all ]] || exit 0

# Fuzzing needs a nightly compiler; checking that the fuzz targets compile does not.
cargo clippy --manifest-path fuzz/Cargo.toml --target-dir target --no-default-features --locked -- -D warnings
# A crate leaves out the crates inside of it: `runtime/` is in it as an archive.
git archive -o runtime.tar HEAD:runtime
trap 'rm -f runtime.tar' EXIT
cargo package --workspace --locked --allow-dirty --target-dir target # its dependencies are already compiled there
