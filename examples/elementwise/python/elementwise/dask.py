"""The functions of this package on arrays of Dask, as generalized ufuncs."""

from .cuvec.dask import *  # needs Dask
from .cuvec.dask import __getattr__ as __getattr__  # noqa: PLC0414  # for type checkers
