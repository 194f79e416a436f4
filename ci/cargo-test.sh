#!/usr/bin/env bash
# The generator's own tests, by nextest where it is installed.
set -euo pipefail

if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --workspace --locked
  # nextest does not run the examples in the documentation
  cargo test --workspace --doc --locked --quiet
else
  cargo test --workspace --locked
fi
