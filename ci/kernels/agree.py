"""axpy and dot of random arrays give the same numbers, whatever the language of the kernels.

agree.py MODULE VALUES.npz: writes the values of the package if there is no such file, and otherwise compares with it.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

LENGTHS = [1, 3, 17, 255, 1000, 4097, 65_537, 1_000_003]


def values(module: str) -> dict[str, np.ndarray]:
    """Results for every dtype and length, of arrays that start at a multiple of 16 bytes and of others."""
    package = import_module(module)
    random = np.random.default_rng(20)
    found = {}
    for dtype in ("float32", "float64"):
        for length in LENGTHS:
            for start_x, start_y in ((0, 0), (1, 1), (1, 2)):
                a = random.normal()
                x, y = (package.cuvec.asarray(random.normal(size=length + 2).astype(dtype)) for _ in range(2))
                x, y = x[start_x : start_x + length], y[start_y : start_y + length]
                name = f"{dtype} {length} {start_x}{start_y}"
                found[f"dot {name}"] = np.float64(package.dot(x, y))
                found[f"scale of dot {name}"] = np.abs(np.float64(x) * y).sum()
                found[f"scale of axpy {name}"] = np.abs(np.float64(a) * x) + np.abs(y)
                package.axpy(a, x, y)
                found[f"axpy {name}"] = np.array(y)
    return found


def compare(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    """`a * x + y` may be rounded once or twice, and sums be added in another order."""
    for name, value in ours.items():
        if not name.startswith("scale"):
            allowed = np.finfo(value.dtype).eps * ours[f"scale of {name}"] * (16 if name.startswith("dot") else 1)
            assert (np.abs(np.float64(value) - theirs[name]) <= allowed).all(), name


if __name__ == "__main__":
    module, path = sys.argv[1], Path(sys.argv[2])
    found = values(module)
    if not path.exists():
        np.savez(path.with_name(f"{os.getpid()}.npz"), **found)
        path.with_name(f"{os.getpid()}.npz").replace(path)  # others may be about to read it
    with np.load(path) as theirs:
        compare(found, theirs)
    print(f"{sum(not name.startswith('scale') for name in found)} values agree")
