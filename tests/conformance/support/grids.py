"""A struct by value, in the kinds that calls take, and what is none."""

import numpy as np
import pytest
from errors import exactly
from package import module

GRID = {"spacing": [0.5, 0.25, 2.0], "rotation": [[1, 2], [3, 4]], "periodic": True, "size": 5}
FACTOR = 2 * 3 * -5  # of `stretch`
LACKS = (
    "grid lacks `spacing`, `rotation`, `periodic`; it must be "
    "Grid3(spacing: float64(3), rotation: float32(2,2), periodic: uint8, size: int64)"
)


def record():
    """Return the grid as an array of NumPy's without axes."""
    made = np.zeros((), module.Grid3)
    for name, value in GRID.items():
        made[name] = value
    return made


kinds = pytest.mark.parametrize("grid", [GRID, record(), record()[()]], ids=["dict", "0-d", "void"])
mistakes = pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        (3, TypeError, "grid must be a dict or a record of Grid3"),
        ({"size": 8}, ValueError, exactly(LACKS)),
        (GRID | {"size": 2.5}, TypeError, exactly("grid.size must be an integer, not float")),
        (GRID | {"spacing": [1, 2]}, ValueError, exactly("grid.spacing must have 3 items, not 2")),
    ],
)
