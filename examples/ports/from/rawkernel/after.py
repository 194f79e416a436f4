"""How well two pictures lie on each other, on the GPU or the CPU.

    python after.py

The function is `kernels/joint_histogram.cu`; `pip install .` compiles it.
"""

from ports import cuvec, joint_histogram
from ports.programs import registration, run

arrays = cuvec.asarray  # which the CPU and the GPU share

if __name__ == "__main__":
    run(registration, joint_histogram, arrays)
