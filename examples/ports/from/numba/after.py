"""How stars attract each other, on the GPU or the CPU.

    python after.py

The function is `kernels/accelerations.cu`; `pip install .` compiles it.
"""

from ports import accelerations, cuvec
from ports.programs import galaxy, run


def arrays(x):
    """An array that the CPU and the GPU share; it is small, but the GPU reads it once for each body."""
    x = cuvec.asarray(x)
    x.prefetch("device")
    return x


if __name__ == "__main__":
    run(galaxy, accelerations, arrays)
