"""Picture of a detector, on the GPU or the CPU.

    python after.py

The function is `kernels/flatfield.cu`; `pip install .` compiles it.
"""

from ports import cuvec, flatfield
from ports.programs import detector, run

arrays = cuvec.asarray  # which the CPU and the GPU share

if __name__ == "__main__":
    run(detector, flatfield, arrays)
