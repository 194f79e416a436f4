"""Filtered backprojection on the GPU or the CPU, by a library that is in extern/fbp."""

from . import cuvec
from .cuvec._version import __version__
from .cuvec.functions import *  # what the files in kernels/ declare
from .cuvec.functions import __all__
from .phantom import phantom, scanner

__all__ += ["__version__", "cuvec", "phantom", "scanner"]
