"""Arithmetic of arrays, element by element, on the GPU or the CPU."""

from . import cuvec
from .cuvec.functions import *  # the functions that the files in kernels/ declare
from .cuvec.functions import __all__

__all__ += ["cuvec"]
