"""Reaction and diffusion on a plate, on the GPU or the CPU, from one source."""

from . import cuvec
from .cuvec import functions as _functions
from .cuvec.functions import *  # the functions that the files in kernels/ declare
from .plate import Plate, seeded

__all__ = ["Plate", "cuvec", "seeded"]
__all__ += _functions.__all__
