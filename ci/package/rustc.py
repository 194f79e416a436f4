"""What makes PTX of kernels in Rust."""

import os

# In place of rustup's: Debian's, which ci/tools.sh installs with the sources of its library.
COMPILER = os.environ.get("KERNELS_RUSTC", "/usr/bin/rustc")

# What assembles the PTX: it must be accepted before it takes the place of the old.
ASSEMBLER = "nvidia-cuda-nvcc==13.*"

# What somebody without a compiler is told to type; the assembler is asked for after it.
COMMANDS = ("rustup component add rust-src",)
