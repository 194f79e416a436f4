"""The compiler and the assembler of PTX for kernels in Rust."""

import os

# In place of rustup's: Debian's, which ci/tools.sh installs with the sources of its library.
COMPILER = os.environ.get("KERNELS_RUSTC", "/usr/bin/rustc")

# The assembler must accept new PTX before it replaces the old.
ASSEMBLER = "nvidia-cuda-nvcc==13.*"

# The suggestions to a user without a compiler; a user without an assembler is told so afterwards.
COMMANDS = ("rustup component add rust-src",)
