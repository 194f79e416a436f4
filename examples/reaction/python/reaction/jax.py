"""The functions of this package on arrays of JAX. Here is the place for their derivatives."""

from .cuvec.jax import *  # needs JAX
