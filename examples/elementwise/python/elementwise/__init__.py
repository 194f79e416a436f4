"""Arithmetic of arrays, element by element, on the GPU or the CPU."""

from . import cuvec
from .cuvec import functions as _functions
from .cuvec.functions import *  # the functions that the files in kernels/ declare

__all__ = ["cuvec"]
__all__ += _functions.__all__
