"""Goals of every package: the work, the baseline in plain CUDA C++, and the goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from batches import FUNCTIONS
from measured import LIMIT, Measured

KIB = 1024
MIB = KIB * KIB
GIB = KIB * MIB
TVM_FFI = "tvm-ffi"  # the subject

Value = Callable[[Measured, str], float | None]


class Goal(NamedTuple):
    """`baseline` and `value` in `unit`; `bound` is of their ratio, or of the value where there is no baseline."""

    work: str
    unit: str
    value: Value
    baseline: Value | None
    bound: float
    more_is_better: bool = False

    def met(self, judged: float) -> bool:
        return judged >= self.bound if self.more_is_better else judged <= self.bound


def scaled(seconds: float | None, factor: float) -> float | None:
    return None if seconds is None else seconds * factor


def time_of(work: str, size: int | None, factor: float) -> Value:
    return lambda measured, subject: scaled(measured.seconds(subject, work, size), factor)


def traffic(work: str, arrays: int, size: int) -> Value:
    def value(measured: Measured, subject: str) -> float | None:
        seconds = measured.seconds(subject, work, size)
        return None if seconds is None else arrays * size / seconds / 1e9

    return value


def of_baseline(value: Value) -> Value:
    return lambda measured, _: value(measured, LIMIT)


def first(*values: Value) -> Value:
    """The first of them that was measured."""

    def value(measured: Measured, subject: str) -> float | None:
        found = (value(measured, subject) for value in values)
        return next((figure for figure in found if figure is not None), None)

    return value


def best(pattern: str, size: int, factor: float) -> Value:
    def value(measured: Measured, _: str) -> float | None:
        return next((factor * r.median for r in measured.best_policy(pattern) if r.size == size), None)

    return value


MICRO, MILLI = 1e6, 1e3
COPY = of_baseline(traffic("copy", 2, GIB))
WAIT_64_MIB = of_baseline(time_of("wait", 64 * MIB, MICRO))


def on_their_stream(library: str, arrays: str) -> Goal:
    """Compared with tvm-ffi, which launches on that stream too: in turns in one process, in older results in one run."""
    work = f"issue, {library}, their stream"
    baseline = first(time_of(f"tvm-ffi, {library}, their stream", None, MICRO),
                   lambda measured, _: scaled(measured.seconds(TVM_FFI, work), MICRO))  # fmt: skip
    return Goal(f"a small call on {arrays} and their stream, asynchronous; the baseline is tvm-ffi", "µs",
                time_of(work, None, MICRO), baseline, 0.8)  # fmt: skip


def compared(work: str, other: str) -> Value:
    """How many times the time of another work of the same package."""

    def value(measured: Measured, subject: str) -> float | None:
        time, of = (measured.seconds(subject, it) for it in (work, other))
        return time / of if time and of else None

    return value


def mapped(library: str, function: str) -> Goal:
    """Goals for batches.py."""
    return Goal(f"{library}'s `vmap` of `{function}` over 1,000 rows: times one call on all of them", "×",
                compared(f"vmap, {library}, {function}", f"whole, {library}, {function}"), None, 1.1)  # fmt: skip


def trip(pattern: str, memory: str, name: str, size: int, bound: float) -> Goal:
    work = f"{name}: {pattern}, {memory}"
    return Goal(work, "ms", time_of(f"{pattern}, {memory}", size, MILLI), best(pattern, size, MILLI), bound)


SMALL_CALLS = [
    Goal("a small call, asynchronous", "µs", time_of("issue", 4 * KIB, MICRO),
         first(time_of("launch", 4 * KIB, MICRO), of_baseline(time_of("issue", 4 * KIB, MICRO))), 1.2),
    Goal("a small call that waits", "µs", time_of("wait", 4 * KIB, MICRO),
         first(time_of("launch and wait", 4 * KIB, MICRO), of_baseline(time_of("wait", 4 * KIB, MICRO))), 1.15),
    Goal("`zeros((64, 64))`", "µs", time_of("zeros", None, MICRO), None, 2),
    on_their_stream("PyTorch", "PyTorch's tensors"),
    on_their_stream("CuPy", "CuPy's arrays"),
    Goal("`mypkg.torch.axpy` in eager programs: times the direct call", "×",
         compared("operator, PyTorch, their stream", "issue, PyTorch, their stream"), None, 1.3),
    *(mapped(library, function) for library in ("PyTorch", "JAX") for function in FUNCTIONS),
]  # fmt: skip

GOALS = [
    Goal("axpy of 256 Mi float32 on the GPU", "GB/s", traffic("axpy", 3, GIB), COPY, 1.00, True),
    Goal("dot of 256 Mi float32 on the GPU", "GB/s", traffic("dot", 2, GIB), COPY, 0.97, True),
    Goal("gemv of 16 Ki × 16 Ki float32 on the GPU", "GB/s", traffic("gemv", 1, GIB), COPY, 0.95, True),
    Goal("64 MiB: alternating, managed, no hint", "ms", time_of("alternating, managed", 64 * MIB, MILLI), None, 3.2),
    trip("alternating", "managed", "64 MiB", 64 * MIB, 1.1),
    trip("alternating", "managed", "1 MiB", MIB, 1.2),
    trip("alternating", "managed", "4 KiB", 4 * KIB, 1.2),
    trip("alternating", "pinned", "64 MiB", 64 * MIB, 1.1),
    trip("once", "managed", "64 MiB", 64 * MIB, 1.1),
    Goal("64 MiB: each of 1,000 consecutive calls, managed, no hint", "µs", time_of("long row, managed", None, MICRO),
         WAIT_64_MIB, 1.5),
    Goal("64 MiB: each of 1,000 consecutive calls, after `prefetch`", "µs", time_of("long row, prefetched", None, MICRO),
         WAIT_64_MIB, 1.2),
    Goal("64 MiB: NumPy arrays in and out", "ms", time_of("alternating, NumPy", 64 * MIB, MILLI), None, 6),
    Goal("import, after NumPy's", "ms", time_of("import", None, MILLI), None, 10),
]  # fmt: skip
