"""The tables of what was measured on a GPU."""

from __future__ import annotations

import statistics
from typing import NamedTuple

from goals import GIB, KIB, MIB, SMALL_CALLS, Goal
from measured import LIMIT, Measured
from products import BESIDE, DTYPES, SIZES


def rows_to_markdown(rows: list[list[str]]) -> list[str]:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body, ""]


def number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{digits(value)} {unit}"


def digits(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


class Judged(NamedTuple):
    """A figure, the baseline in the same process, and what is compared with the goal."""

    judged: float
    value: float
    baseline: float | None


def middle(goal: Goal, processes: list[Measured], package: str) -> Judged | None:
    """The results of the process with the median of what is judged, of two the one with more: all of one process."""
    found = []
    for measured in processes:
        value = goal.value(measured, package)
        if value is not None:
            baseline = goal.baseline(measured, package) if goal.baseline else None
            found.append(Judged(value / baseline if baseline else value, value, baseline))
    return sorted(found)[len(found) // 2] if found else None


def goal_row(goal: Goal, processes: list[Measured]) -> list[str]:
    packages = processes[0].packages
    figures = {package: middle(goal, processes, package) for package in packages}
    if not any(figures.values()):
        return [goal.work, goal.unit, "not measured", *("–" for _ in ("goal", "met", *packages))]
    known = [figure.baseline for figure in figures.values() if figure and figure.baseline]
    baseline = statistics.median(known) if known else None
    cells, met = [], []
    for package, figure in figures.items():
        if figure is None:
            raise ValueError(f"{package} has no figure for {goal.work}")
        cells.append(digits(figure.value) + (f" = **{figure.judged:.2f}**" if baseline else ""))
        met.append(goal.met(figure.judged))
    sign = "≥" if goal.more_is_better else "≤"
    of_baseline = (lambda bound: f"{bound:.2f}") if baseline else (lambda bound: f"{bound:g} {goal.unit}")
    bound = f"{sign} {of_baseline(goal.bound)}"
    share = "yes" if all(met) else f"{sum(met)} of {len(met)}"
    return [goal.work, goal.unit, number(baseline, goal.unit), bound, share, *cells]


def goals(processes: list[Measured], shown: list[Goal]) -> list[str]:
    """Table of the goals, with the median of several processes of each package."""
    head = ["work", "unit", "baseline", "goal", "met", *(f"`{package}`" for package in processes[0].packages)]
    return rows_to_markdown([head, *(goal_row(goal, processes) for goal in shown)])


FOREIGN_WORKS = [
    ("… on CuPy's arrays and their stream, asynchronous", "issue, CuPy, their stream", None, 1e6, "µs"),
    ("… on CuPy's arrays, asynchronous", "issue, CuPy", None, 1e6, "µs"),
    ("… what CuPy takes to export one", "export, CuPy", None, 1e6, "µs"),
    ("… on PyTorch's tensors and their stream, asynchronous", "issue, PyTorch, their stream", None, 1e6, "µs"),
    ("… on PyTorch's tensors, asynchronous", "issue, PyTorch", None, 1e6, "µs"),
    ("… what PyTorch takes to export one", "export, PyTorch", None, 1e6, "µs"),
    ("… as `mypkg.torch.axpy`", "operator, PyTorch, their stream", None, 1e6, "µs"),
    ("… as `torch.ops.mypkg.axpy`", "dispatched, PyTorch, their stream", None, 1e6, "µs"),
    ("… as a `torch.library.custom_op`", "custom_op, PyTorch, their stream", None, 1e6, "µs"),
    ("a call of a program of JAX, asynchronous", "issue, jax.jit", None, 1e6, "µs"),
    ("… one call more in it", "one more, jax.jit", None, 1e6, "µs"),
]
PEER_WORKS = [
    ("gemv of 16 Ki × 16 Ki float32", "gemv", GIB, 1e3, "ms"),
    ("a small call, asynchronous", "issue", 4 * KIB, 1e6, "µs"),
    ("a small call that waits", "wait", 4 * KIB, 1e6, "µs"),
    ("… that waits, in one thread", "threads 1", None, 1e6, "µs"),
    ("… that waits, in four threads", "threads 4", None, 1e6, "µs"),
    ("64 × 64 zeros", "zeros", None, 1e6, "µs"),
    ("64 × 64 values of NumPy", "asarray", None, 1e6, "µs"),
    *(
        (
            f"{name}: written by the host, one call, read by the host; {memory}",
            f"alternating, {memory}",
            size,
            1e3,
            "ms",
        )
        for name, size in (("4 KiB", 4 * KIB), ("1 MiB", MIB), ("64 MiB", 64 * MIB), ("256 MiB", 256 * MIB))
        for memory in ("managed", "pinned", "NumPy")
    ),
    ("import, after NumPy's", "import", None, 1e3, "ms"),
    ("first call after it", "first call", None, 1e3, "ms"),
]


def peers(measured: Measured) -> list[str]:
    def is_here(name: str) -> bool:
        return any(measured.find(name, work, size) for _, work, size, *_ in PEER_WORKS)

    others = [name for name in measured.kinds if name not in measured.packages and is_here(name)]
    shown = [*others, *measured.packages]
    head, *rows = works(measured, shown, PEER_WORKS)
    return rows_to_markdown([head, ["operation", *(measured.kinds[name].operation for name in shown)], *rows])


def works(measured: Measured, shown: list[str], works: list[tuple]) -> list[list[str]]:
    """Time of each for each work; a work that nobody did has no row."""
    rows = [["work", *(f"`{name}`" if name in measured.packages else name for name in shown)]]
    for what, work, size, factor, unit in works:
        values = [measured.seconds(name, work, size) for name in shown]
        if any(value is not None for value in values):
            rows.append([what, *(number(None if v is None else v * factor, unit) for v in values)])
    return rows


def foreign_tables(processes: list[Measured]) -> list[str]:
    """Calls on arrays of other libraries, of all that were measured; the absolute times are of the first processes."""
    first = processes[0]
    return [*goals(processes, SMALL_CALLS), *rows_to_markdown(works(first, [*first.kinds], FOREIGN_WORKS))]


def parts(measured: Measured) -> list[str]:
    """Parts of a small asynchronous call, in ns."""
    launch = measured.seconds(LIMIT, "issue", 4 * KIB)
    rows = [["package", "a small call, asynchronous", "on empty arrays", "a launch in CUDA C++", "the rest"]]
    for package in measured.packages:
        whole, empty = measured.seconds(package, "issue", 4 * KIB), measured.seconds(package, "issue, empty")
        if launch is None or whole is None or empty is None:
            raise ValueError(f"{package} has no measurements of the parts of a call")
        rows.append([f"`{package}`", *(f"{1e9 * t:.0f} ns" for t in (whole, empty, launch, whole - empty - launch))])
    return rows_to_markdown(rows)


def on_tensor_cores(measured: Measured) -> list[str]:
    """The section of products of matrices, where they were measured."""
    rows = [["dtype, rows and columns", BESIDE, "of it"]]
    for dtype in DTYPES:
        for n in SIZES:
            size = n * n * (4 if dtype == "float32" else 2)
            ours, theirs = (measured.seconds("rust", f"product, {dtype}{of}", size) for of in ("", f", {BESIDE}"))
            if ours and theirs:
                rate, ratio = 2e-12 * n**3 / theirs, theirs / ours
                rows.append([f"{dtype}, {n}", f"{rate:.0f} TFLOP/s", f"{ratio:.2f}"])
    if len(rows) == 1:
        return []
    return [
        "## On tensor cores",
        "",
        "`matrix_product` of [Kernels in Rust](how-to/rust-kernels.md), 9 lines, whose warps multiply by `mma.sync`, and cuBLAS, which PyTorch",
        "calls. In turns; float32 is rounded to TF32 by both. There is no goal: on Hopper cuBLAS multiplies by `wgmma` and loads by TMA, whose",
        "rate no kernel with `mma.sync` reaches. They are instructions of that one kind of GPU, and kernels in Rust are PTX for all from Ampere on.",
        "A function in CUDA C++ may have them: [Target specific GPUs](how-to/architectures.md).",
        "",
        *rows_to_markdown(rows),
    ]


def numpy_floor(measured: Measured) -> list[str]:
    """Least time in which NumPy arrays can go to the GPU and back."""
    in_place, copied = (
        measured.seconds(LIMIT, f"alternating, pinned {how}", 64 << 20) for how in ("in place", "copies")
    )
    if in_place is None or copied is None:
        raise ValueError("pinned memory was not measured")
    return [
        f"The floor of NumPy arrays of 64 MiB: were they pinned, CUDA C++ would take {1e3 * in_place:.1f} ms in place, and",
        f"{1e3 * copied:.1f} ms with copies one after the other. They are not: while one part is on its way, threads of the host",
        "copy the next into pinned memory or the last out of it, and all of that goes through the same memory.",
        "",
    ]
