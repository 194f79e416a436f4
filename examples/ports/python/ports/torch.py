"""The functions of this package as operators of PyTorch. Here is the place for their derivatives."""

from .cuvec.torch import *  # needs PyTorch
from .cuvec.torch import register_autograd as register_autograd  # noqa: PLC0414
