"""How stars attract each other, on the GPU or the CPU.

    python after.py

The function is `kernels/accelerations.cu`; `pip install .` compiles it.
"""

from ports import accelerations, cuvec
from ports.programs import galaxy, run

arrays = cuvec.asarray  # which the CPU and the GPU share

if __name__ == "__main__":
    run(galaxy, accelerations, arrays)
