"""Emission tomography in two dimensions: projection, simulation and reconstruction, on the GPU or the CPU."""

from . import cuvec
from .cuvec._version import __version__
from .cuvec.functions import *  # the functions that the files in kernels/ declare
from .cuvec.functions import __all__
from .reconstruct import fbp, log_likelihood, mlem, osem
from .scanner import Scanner, directions
from .simulate import Scan, scan

__all__ += [
    "Scan",
    "Scanner",
    "__version__",
    "cuvec",
    "directions",
    "fbp",
    "log_likelihood",
    "mlem",
    "osem",
    "scan",
]
