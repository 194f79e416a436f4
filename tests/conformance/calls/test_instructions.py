"""A small call takes as many instructions as ever, of all that happens around its body: valgrind counts them, to a few in a thousand."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from package import NAME, cuvec, declared_names

# Instructions of a call of few elements on the CPU, in CUDA C++ and in Rust, the interpreter's and the body's among them.
CALLS = {
    "axpy(2, own, other)": (8_700, 9_400),
    "axpy(2, numpy, numpy_other)": (9_700, 10_300),
    "axpy(a=2, x=numpy, y=numpy_other)": (9_800, 10_500),
    "axpy(2, column, matrix)": (21_500, 27_500),
    "gemv(matrix, row)": (20_000, 21_000),
    "dot(numpy, numpy_other)": (11_200, 20_100),
}
MORE = 1.1  # of another compiler, Python or NumPy
COUNT = 1000
PROGRAM = f"""
import gc, os
import numpy
from {NAME} import axpy, cuvec, dot, gemv
own, other = cuvec.ones(16, "float32"), cuvec.ones(16, "float32")
matrix, column, row = (numpy.ones(shape, "float32") for shape in ((4, 4), (4, 1), 4))
numpy_other, numpy = numpy.ones(16, "float32"), numpy.ones(16, "float32")
gc.disable()
for call in {list(CALLS)}:
    call = eval("lambda: " + call)
    call()
    os.getsid(0)
    for _ in range({COUNT}):
        call()
    os.getsid(0)
"""


@pytest.mark.may_skip
@pytest.mark.skipif(not shutil.which("valgrind"), reason="needs valgrind")
@pytest.mark.skipif(cuvec.device().kind != "cpu", reason="valgrind runs no driver")
def test_instructions_of_small_calls(tmp_path):
    counted = ["valgrind", "--tool=callgrind", "--dump-before=getsid"]
    counted.append(f"--callgrind-out-file={tmp_path}/part")
    env = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([*counted, sys.executable, "-P", "-c", PROGRAM], env=env, check=True)
    parts = [(tmp_path / f"part.{2 * number}").read_text() for number in range(1, len(CALLS) + 1)]
    taken = [int(re.search(r"^(?:summary|totals): (\d+)", part, re.MULTILINE)[1]) for part in parts]
    is_rust = "prefix_steps" in declared_names()  # which CUDA C++ lacks
    limits = {call: MORE * COUNT * counts[is_rust] for call, counts in CALLS.items()}
    assert {call: n for call, n in zip(CALLS, taken, strict=True) if n > limits[call]} == {}
