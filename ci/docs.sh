#!/usr/bin/env bash
# Builds the documentation, docs/, as a site in target/docs. Warnings are errors. Arguments go to Sphinx.
set -euo pipefail

python -m sphinx --builder html --fail-on-warning --keep-going --quiet "$@" docs target/docs
