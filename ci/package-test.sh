#!/usr/bin/env bash
# Scaffolds packages with target/debug/cuvec-new, lints, builds, installs and tests them: ci/package, two packages
# at a time: much of it runs on one core. Arguments go to pytest.
set -euo pipefail

cd ci/package
exec python -m pytest -c pytest.toml --numprocesses=2 "$@"
