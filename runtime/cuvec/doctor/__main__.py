"""`python build/cuvec_runtime/cuvec/doctor WHEEL`: of a wheel that is not installed, as in a release."""

import sys
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # last: there are modules called as Python's own
sys.exit(import_module("doctor.command").main(sys.argv[1:]))
