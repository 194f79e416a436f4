"""Times the same functions in CUDA C++ and in Rust on a GPU, in turns, and writes what it saw.

    languages.py BUILT OUTPUT [FUNCTION…]

BUILT is the folder that `ci/gpu build cu rust` has filled. OUTPUT gets languages.json and languages.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Self

import numpy as np

from cases import CASES
from clock import Times, batch, of, repeats_for
from machine import driver, installed, today
from package import Package
from table import number, rows_to_markdown

HERE = Path(__file__).parent
LANGUAGES = {"cu": "CUDA C++", "rust": "Rust"}  # by the packages of `ci/gpu build`
GOAL = 0.95
BATCHES = 12
SECONDS = 0.03  # of a batch


class Worker:
    """A process with a package. It times a batch of calls when it is told to."""

    def __init__(self, package: Package) -> None:
        command = [package.python, __file__, "--worker", "gpupkg"]
        environment = {**os.environ, "CUVEC_DEVICE": "cuda", "PYTHONPATH": str(HERE)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.process.stdin.close()
        self.process.wait()

    def ask(self, **question: object) -> float:
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process of {self.process.args[0]} has ended, with {self.process.wait()}")
        return json.loads(answer)


def work(module: str) -> None:
    """Loop of a worker: for each line that names a function, the seconds of a call in a batch; without a number of calls, how many
    a batch should have."""
    cuvec = import_module(module).cuvec
    name, call = "", None
    for line in sys.stdin:
        question = json.loads(line)
        if question["function"] != name:
            name, call = question["function"], None  # which frees the arrays of the last one
            call = call_of(getattr(import_module(module), name), CASES[name].arguments, cuvec)
        count = question.get("calls")
        answer = batch(call, cuvec.dev_sync, count) if count else repeats_for(SECONDS, call, cuvec.dev_sync)
        print(json.dumps(answer), flush=True)


def call_of(function: Callable[..., object], arguments: Callable[..., tuple], cuvec: object) -> Callable[[], object]:
    import cupy  # here: the process that asks needs none

    stream = cupy.cuda.Stream(non_blocking=True)
    arrays = [cuvec.asarray(it) if isinstance(it, np.ndarray) else it for it in arguments(np.random.default_rng(1))]
    for array in arrays:
        if hasattr(array, "prefetch"):
            array.prefetch("device")
    cuvec.dev_sync()
    return lambda: function(*arrays, stream=stream.ptr)


def in_turns(workers: list[Worker], name: str) -> list[Times]:
    """A batch of one after a batch of the other: their clocks, which depend on the heat, are the same."""
    calls = max(int(worker.ask(function=name)) for worker in workers)
    batches = [[worker.ask(function=name, calls=calls) for worker in workers] for _ in range(BATCHES)]
    return [of(list(seconds)) for seconds in zip(*batches, strict=True)]


def measure(built: Path, output: Path, names: list[str]) -> None:
    packages = [Package(built.resolve() / language) for language in LANGUAGES]
    for package in packages:
        package.install()
    about = {
        "GPU and driver": driver(),
        "date": today(),
        "commit": Path(built, "commit").read_text().strip(),
        "versions": installed(["numpy", "cupy-cuda13x"]),
    }
    found: dict[str, list[Times]] = {}
    with Worker(packages[0]) as one, Worker(packages[1]) as other:
        for name in names or CASES:
            found[name] = in_turns([one, other], name)
            print(name, *found[name], file=sys.stderr, flush=True)
            content = {"about": about, "seconds": found}
            (output / "languages.json").write_text(json.dumps(content) + "\n")  # kept, should what follows not end
    text = page(json.loads((output / "languages.json").read_text()))
    (output / "languages.md").write_text(text, encoding="utf-8")
    print(text)


def row(name: str, seconds: list[list[float]]) -> list[str]:
    cuda, rust = (Times(*times) for times in seconds)
    rate = cuda.median / rust.median
    shown = f"{rate:.2f}" if rate >= GOAL else f"**{rate:.2f}**"
    return [f"`{name}`", CASES[name].work, *(number(1e3 * it.median, "ms") for it in (cuda, rust)), shown]


def page(content: dict) -> str:
    rows = [row(name, seconds) for name, seconds in content["seconds"].items()]
    lines = [
        "# Kernels in both languages",
        "",
        "Written by `ci/gpu languages`; do not edit.",
        "",
        *(f"- {key}: {value}" for key, value in content["about"].items()),
        "- command: `ci/gpu build cu rust`, then `ci/gpu languages`",
        "",
        "The functions of `bench/kernels`, and the samples `axpy` and `dot`, are written in CUDA C++ and in Rust. The table has the time of a call",
        "on arrays that are on the GPU, in turns, the median of several batches. Both are written to be read, and with the same algorithm",
        f"where both languages can express it. Functions that are less than {GOAL} times as fast in Rust are bold. `softmax` has Rust's",
        "`fast::exp`, for its `exp` gives the bits of the CPU, in four times as many instructions.",
        "",
        *rows_to_markdown([["function", "data", *LANGUAGES.values(), "Rust is as fast, times"], *rows]),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1] == "--worker":
        work(sys.argv[2])
    else:
        measure(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
