"""Reaction and diffusion on a plate, on the GPU or the CPU, from one source."""

from . import cuvec
from .cuvec._version import __version__
from .cuvec.functions import *  # the functions that the files in kernels/ declare
from .cuvec.functions import __all__
from .plate import Plate, seeded

__all__ += ["Plate", "__version__", "cuvec", "seeded"]
