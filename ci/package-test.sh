#!/usr/bin/env bash
# Scaffolds packages with target/debug/cuvec-new, lints, builds, installs and tests them: ci/package. Arguments go to pytest.
set -euo pipefail

cd ci/package
exec python -m pytest -c pytest.toml "$@"
