#!/usr/bin/env bash
set -euo pipefail

cargo fmt --all --check
rustfmt --edition 2024 --check examples/*/kernels/*.rs
cargo clippy --workspace --all-targets --locked -- -D warnings
# Fuzzing needs a nightly compiler; that the target compiles does not.
cargo fmt --manifest-path fuzz/Cargo.toml --check
cargo clippy --manifest-path fuzz/Cargo.toml --target-dir target --no-default-features --locked -- -D warnings
