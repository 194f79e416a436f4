"""Five functions that people brought from elsewhere, on the GPU or the CPU."""

from . import cuvec
from .cuvec._version import __version__
from .cuvec.functions import *  # the functions that the files in kernels/ declare
from .cuvec.functions import __all__

__all__ += ["__version__", "cuvec"]
