# shellcheck shell=bash
# The environment of every step: the same compiler everywhere, nothing installed behind our back.

# A rust-toolchain.toml inside some dependency must not make rustup fetch a toolchain in the middle of a build.
export RUSTUP_AUTO_INSTALL=0
if command -v rustup >/dev/null; then
  RUSTUP_TOOLCHAIN=$(rustup show active-toolchain | cut -d' ' -f1)
  RUSTC=$(rustup which rustc)
  export RUSTUP_TOOLCHAIN RUSTC
fi

CI_TOOLS=$PWD/target/ci
export CI_TOOLS
export PATH=$CI_TOOLS/venv/bin:$CI_TOOLS/node_modules/.bin:$PATH
export PIP_DISABLE_PIP_VERSION_CHECK=1
export UV_SYSTEM_CERTS=1 # those that pip uses too
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

# Results must not depend on who runs the checks.
unset CUDAARCHS CUDACXX CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUVEC_DEVICE CARGO_TARGET_DIR CMAKE_GENERATOR
