#!/usr/bin/env bash
# Builds the documentation, docs/, as a site in target/docs, with what docs/requirements.txt names. Warnings are errors.
# Arguments go to Sphinx.
set -euo pipefail
cd "$(dirname "$0")/.."

python -m sphinx --builder html --fail-on-warning --keep-going --quiet "$@" docs target/docs
