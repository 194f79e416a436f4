"""Picture of a detector: a C++ extension on the arrays of CuVec.

    nvcc -O3 -arch=native -shared -Xcompiler=-fPIC $(python -m pybind11 --includes) \
      -I$(python -c 'import cuvec; print(cuvec.include_path)') -o flatfield.so flatfield.cu
    python before.py

Checked: dtype, by the type of the array, and shapes, by `flatfield.cu`. An error of CUDA ends the process.
"""

import cuvec.pybind11 as cuvec
import flatfield as module

from ports.programs import detector, run

arrays = cuvec.asarray  # in managed memory, which the CPU and the GPU share


def flatfield(raw, dark, flat):
    return cuvec.asarray(module.flatfield(raw.cuvec, dark.cuvec, flat.cuvec))


if __name__ == "__main__":
    run(detector, flatfield, arrays)
