"""The function of `ci/kernels/peers/tvm_ffi`, compiled when it is first imported."""

from __future__ import annotations

import runpy
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "kernels/peers/tvm_ffi/axpy.py"
axpy = runpy.run_path(str(SOURCE))["axpy"]
