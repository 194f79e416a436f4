"""Five programs, but for the function that does the work: what goes in, and what they say of what comes out.

Each is there before and after it was ported: `from/NAME/before.py` and `after.py` bring the function.
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import clusters, detector, edges, galaxy, registration

SIZE = 512

PROGRAMS = {
    "ctypes": edges,
    "pybind11": clusters,
    "cuvec": detector,
    "rawkernel": registration,
    "numba": galaxy,
}
"""By what their function was written with before."""


def run(
    program: ModuleType,
    function: Callable[..., ArrayLike],
    arrays: Callable[[NDArray[Any]], Any] = np.asarray,
) -> None:
    """The whole program. What goes in lies in the arrays that `arrays` makes; the command line may give its size."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE
    result = function(*map(arrays, program.inputs(size)))
    print(program.summary(np.asarray(result)))
