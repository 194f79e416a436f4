"""Filtered backprojection on the GPU or the CPU, by a library that is in extern/fbp."""

from . import cuvec
from .cuvec.functions import *  # what the files in kernels/ declare
from .cuvec.functions import __all__
from .phantom import phantom, scanner

__all__ += ["cuvec", "phantom", "scanner"]
