"""The modules that are tested are next to this folder."""

import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
sys.path += [str(BENCH), str(BENCH / "kernels")]
