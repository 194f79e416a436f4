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

# Results must not depend on who runs the checks, nor on the language or the settings of the machine.
export LC_ALL=C.UTF-8
unset LANGUAGE CUDAARCHS CUDACXX CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUVEC_DEVICE OMP_NUM_THREADS OMP_THREAD_LIMIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS
unset PYTHONPATH PYTHONHOME PYTHONWARNINGS PYTHONDONTWRITEBYTECODE PYTEST_ADDOPTS PYTEST_PLUGINS VIRTUAL_ENV
for variable in "${!CMAKE_@}" "${!SKBUILD_@}" "${!CARGO_PROFILE_@}"; do
  unset "$variable"
done
unset variable
export CARGO_PROFILE_DEV_DEBUG=0 # compiles and links faster
