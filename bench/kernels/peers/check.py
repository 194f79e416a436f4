"""Compares the functions of the peers with NumPy on a GPU, and writes what passed, with versions.

    check.py [OUTPUT.json]         all of them; docs/functions.json if no file is named
    check.py --one PEER FUNCTION   one, in this process: 0 passed, 3 the peer is absent

It needs a GPU; nvcc for pybind11 and JAX's FFI; nvcc and ninja for tvm-ffi and extensions of PyTorch; PyTorch for the arrays of all but
Numba and JAX. Then `bench/functions` puts the results into docs/functions.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The folders here have the names of the libraries, which must be found first.
sys.path = [path for path in sys.path if Path(path or ".").resolve() != HERE]
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1]), str(HERE / "checks")]

from lines import FUNCTIONS, TITLES, digest, theirs

from machine import driver, installed, today

ABSENT = 3
LIBRARIES = ["numba", "numba-cuda", "apache-tvm-ffi", "pybind11", "torch", "jax", "numpy"]


def one(peer: str, function: str) -> int:
    """Calls it and compares; what is wrong is an exception."""
    from arrays import arrays_for
    from load import load
    from rows import CHECKS as OF_ROWS
    from values import CHECKS

    try:
        arrays, module = arrays_for(peer), load(peer, function)
    except ModuleNotFoundError as error:
        if error.name in {"numba", "tvm_ffi", "pybind11", "torch", "jax"}:
            print(error)
            return ABSENT
        raise
    if function in OF_ROWS:
        OF_ROWS[function](peer, module, arrays)
    else:
        CHECKS[function](peer, getattr(module, function), arrays)
    return 0


def run(peer: str, function: str) -> dict[str, str]:
    """In a process of its own: it may crash, or hang."""
    command = [sys.executable, __file__, "--one", peer, function]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
        code, output = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        code, output = 1, "did not end in 400 seconds"
    result = {0: "passed", ABSENT: "absent"}.get(code, "failed")
    print(
        f"{peer} {function}: {result}",
        *([] if result == "passed" else [output.strip()[-3000:]]),
        sep="\n  ",
        flush=True,
    )
    return {"result": result, "digest": digest(peer, function)}


def main(output: Path) -> int:
    machine = f"{today()}, {driver()}, {installed(LIBRARIES)}"  # an error at once where there is no GPU
    pairs = [(peer, function) for peer in TITLES for function in FUNCTIONS if theirs(peer, function)]
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        found = list(pool.map(lambda pair: run(*pair), pairs))
    results: dict[str, dict] = {peer: {} for peer in TITLES}
    for (peer, function), result in zip(pairs, found, strict=True):
        results[peer][function] = result
    output.write_text(json.dumps({"about": machine, "results": results}, indent=1) + "\n")
    return int(any(result["result"] == "failed" for result in found))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        sys.exit(one(*sys.argv[2:]))
    sys.exit(main(Path(*sys.argv[1:2] or [HERE.parents[2] / "docs/functions.json"])))
