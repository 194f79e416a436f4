"""The functions of this package on arrays of JAX. Here is the place for their derivatives."""

from .cuvec.jax import *  # needs JAX
from .cuvec.jax import __getattr__ as __getattr__  # noqa: PLC0414  # for type checkers
