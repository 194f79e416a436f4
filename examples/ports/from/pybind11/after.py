"""Who is near to whom, on the GPU or the CPU.

    python after.py

The function is `kernels/distances.cu`; `pip install .` compiles it.
"""

from ports import cuvec, distances
from ports.programs import clusters, run

arrays = cuvec.asarray  # which the CPU and the GPU share

if __name__ == "__main__":
    run(clusters, distances, arrays)
