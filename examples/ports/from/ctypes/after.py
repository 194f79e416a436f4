"""The edges of cells, on the GPU or the CPU.

    python after.py

The function is `kernels/convolve.cu`; `pip install .` compiles it.
"""

from ports import convolve, cuvec
from ports.programs import edges, run

arrays = cuvec.asarray  # which the CPU and the GPU share

if __name__ == "__main__":
    run(edges, convolve, arrays)
