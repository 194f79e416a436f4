"""`python check_code.py LIBRARY`: fails if a function in it lacks code for a GPU that the build is for."""

import sys
from importlib import import_module
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "cuvec"))
found = [*import_module("doctor.declared_code").look(Path(sys.argv[1]).read_bytes())]
for finding in found:
    print(f"error: {finding.found}", file=sys.stderr)
if found:
    sys.exit(
        "Something takes code away: CUDA_ARCHITECTURES of a target in CMakeLists.txt, or flags in CUDAFLAGS or "
        "NVCC_APPEND_FLAGS. Which GPUs a build is for is said by CUDAARCHS: CUDAARCHS='80;90' pip wheel --no-deps ."
    )
