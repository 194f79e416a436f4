"""The compiler that makes PTX of kernels in Rust."""

import os

# In place of a nightly: Debian's, which ci/tools.sh installs with the sources of its library.
COMPILER = os.environ.get("KERNELS_RUSTC", "/usr/bin/rustc")

# What somebody who has no nightly is told to type.
COMMANDS = (
    "rustup toolchain install nightly --profile minimal",
    "rustup component add rust-src --toolchain nightly",
)
