"""The functions of the package on arrays of Dask, as generalized ufuncs."""

from ..cuvec.dask import *  # needs Dask
from ..cuvec.dask import __getattr__ as __getattr__  # for type checkers
