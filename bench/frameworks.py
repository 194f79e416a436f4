"""docs/frameworks.md: a small function as each tool has it, called on its own arrays and on other libraries' arrays, and in programs of JAX.

frameworks.py FRAMEWORKS.json PAGE.md
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from goals import SMALL_CALLS, TVM_FFI
from measured import Measured
from table import goals, number, rows_to_markdown

OWN, CUPY, TORCH = "issue", "issue, CuPy, their stream", "issue, PyTorch, their stream"
# title, subject, and its measurements on its own arrays, on CuPy's and on PyTorch's
TOOLS = [
    ("tvm-ffi", TVM_FFI, (None, CUPY, TORCH)),
    ("CuPy, `ElementwiseKernel`", "CuPy", (OWN, None, None)),
    ("CuPy, `RawKernel`", "CuPy", (CUPY, CUPY, None)),
    ("Numba", "Numba", (OWN, CUPY, TORCH)),
    ("PyTorch, `add_`", "PyTorch", (TORCH, None, TORCH)),
]
OURS = [
    ("`{}`", (OWN, CUPY, TORCH)),
    ("`{}`, on another stream than theirs", (None, "issue, CuPy", "issue, PyTorch")),
    ("an array of `{}`, made one of the library's", (None, "export, CuPy", "export, PyTorch")),
    ("`{}`, `mypkg.torch.axpy`", (None, None, "operator, PyTorch, their stream")),
    ("`{}`, `torch.ops.mypkg.axpy`", (None, None, "dispatched, PyTorch, their stream")),
    ("`{}`, inside a `torch.library.custom_op`", (None, None, "custom_op, PyTorch, their stream")),
]

# title and subject
IN_JAX = [
    ("jax-tvm-ffi", "jax-tvm-ffi"),
    ("jax-tvm-ffi, `allow_cuda_graph`", "jax-tvm-ffi, in graphs"),
    ("JAX, `y + a * x`", "JAX"),
    ("JAX, `y + a * x` after an `optimization_barrier`", "JAX, kept apart"),
]
SEEN = 1e-8  # seconds; the difference of two programs is not known better


def row(processes: list[Measured], title: str, subject: str, works: tuple[str | None, ...]) -> list[str]:
    """The medians of the processes."""

    def microseconds(work: str | None) -> float | None:
        found = [measured.seconds(subject, work) for measured in processes] if work else []
        known = [1e6 * seconds for seconds in found if seconds is not None]
        return statistics.median(known) if known else None

    return [title, *(number(microseconds(work), "µs") for work in works)]


def programs(measured: Measured) -> list[str]:
    """The part of the page about programs of JAX, if it was measured."""
    rows = []
    for title, subject in [*((f"`{name}`", name) for name in measured.packages), *IN_JAX]:
        call, more = (measured.seconds(subject, work) for work in ("issue, jax.jit", "one more, jax.jit"))
        few = more is not None and more < SEEN
        cells = [number(call and call * 1e6, "µs"), "< 0.01 µs" if few else number(more and more * 1e6, "µs")]
        rows += [[title, *cells]] if set(cells) != {"–"} else []
    if not rows:
        return []
    return [
        "The same in programs of JAX, with `y` donated and `a` known when a program is compiled. *A call*: what a call of a program",
        "takes that does not wait. *One more in a program*: what a program of 101 calls takes, each on the result of the one before,",
        "less one of a single call, divided by 100; both are waited for. XLA can make one kernel of all calls of JAX's own operations,",
        "where nothing is between them; a call of jax-tvm-ffi can be a part of a CUDA graph with `allow_cuda_graph`.",
        "",
        *rows_to_markdown([["in `jax.jit`", "a call", "one more in a program"], *rows]),
    ]


def compared(processes: list[Measured]) -> list[str]:
    """The part of the page that compares within a process."""
    return [
        "The machine is at times slower by a half, for seconds, and some processes are slow from beginning to end. So ratios of",
        "two processes say little, and these are taken within one: batches of the package's calls, of tvm-ffi's, and of the same",
        f"launches in C follow each other in turns. Of {len(processes)} processes of each package, the one with the median ratio is shown.",
        "",
        "In bold is the ratio to the baseline, which is the launch in C, or tvm-ffi where it says so; of the baselines, the median is shown.",
        "Rows of `vmap` have 32 Ki float32, and what counts is the time until the GPU has done all.",
        "",
        *goals(processes, SMALL_CALLS),
    ]


def lines(processes: list[Measured]) -> list[str]:
    measured = processes[0]
    rows = [["`y += a * x`", "on its own arrays", "on CuPy's", "on PyTorch's tensors"]]
    for title, works in OURS:
        rows += [row(processes, title.format(name), name, works) for name in measured.packages]
    rows += [row(processes, *tool) for tool in TOOLS]
    return [
        "# Compared with other tools",
        "",
        "Written by `ci/gpu bench foreign`; do not edit.",
        "",
        *(f"- {what}: {value}" for what, value in measured.about.items()),
        "",
        "What a call takes that does not wait, on 1,024 float32. Arrays of CuPy and of PyTorch are on the stream that their",
        "library works on, PyTorch on a side stream, and the call is on that stream too, unless a row says otherwise. A declared",
        "function checks dtypes, shapes, overlap, read-only arrays, and addresses except of PyTorch's tensors and CuPy's arrays;",
        "a `RawKernel` checks nothing.",
        "Medians, each tool in processes of its own; – was not measured.",
        "",
        *rows_to_markdown([rows[0], *(row for row in rows[1:] if set(row[1:]) != {"–"})]),
        *compared(processes),
        *programs(measured),
        "[functions.md](functions.md) counts the lines of such functions, tvm-ffi's among them, and says what they leave to the caller;",
        "[performance.md](performance.md) has the other measurements.",
        "",
    ]


def write(figures: Path, page: Path) -> None:
    page.write_text("\n".join(lines(Measured.processes(figures))), encoding="utf-8")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
