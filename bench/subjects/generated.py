"""A package that cuvec-new has made: `gpupkg`."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterator
from typing import Any

import cupy as cp
import gpupkg
import numpy as np
from gpupkg import axpy, cuvec, dot, gemv

from batches import batches
from clock import Times, Works, of, times
from foreign import LIBRARIES, on_their_stream
from products import products
from threads import seconds_in_threads

from .subject import A, Call, Subject

LARGEST_MANAGED = 256 << 20  # bytes of an array; larger ones are plain memory of the GPU
BESIDE = "tvm-ffi"  # the work that is done in turns with ours
SMALL = 1024
MIDDLE = 64 << 20  # bytes
ROW = 1000  # calls


class Generated(Subject):
    memories = ("managed", "pinned", "NumPy")

    def __init__(self) -> None:
        self.stream = cp.cuda.Stream(non_blocking=True)

    def on_gpu(self, values: np.ndarray) -> Any:
        if values.nbytes > LARGEST_MANAGED:
            return cp.asarray(values)
        array = cuvec.asarray(values)
        array.prefetch("device")
        cuvec.dev_sync()
        return array

    def on_host(self, array: Any) -> np.ndarray:
        return cp.asnumpy(array)

    def issue(self, x: Any, y: Any) -> Call:
        stream = self.stream.ptr
        return lambda: axpy(A, x, y, stream=stream)

    def launches(self, x: Any, y: Any) -> dict[str, Works]:
        library = ctypes.CDLL(os.environ["BENCH_LAUNCHES"])
        pointers = ctypes.c_void_p(x.cuvec.ptr), ctypes.c_void_p(y.cuvec.ptr), ctypes.c_void_p(self.stream.ptr)

        def works(waits: int) -> Works:
            def calls(count: int) -> None:
                if error := library.launches(ctypes.c_float(A), *pointers, ctypes.c_size_t(x.size), count, waits):
                    raise RuntimeError(f"CUDA error {error}")

            return calls

        return {"launch": works(0), "launch and wait": works(1)}

    def wait(self) -> None:
        self.stream.synchronize()

    def waiting(self, x: Any, y: Any) -> Call:
        return lambda: axpy(A, x, y)

    def dot(self, x: Any, y: Any) -> Call:
        return lambda: dot(x, y)

    def gemv(self, a: Any, x: Any) -> Call:
        """The recipe in bench/kernels, a warp for each row."""
        y = self.on_gpu(np.zeros(len(a), "f4"))
        stream = self.stream.ptr
        return lambda: gemv(a, x, out=y, stream=stream)

    def nothing(self) -> Call:
        return self.issue(cuvec.empty(0), cuvec.empty(0))

    def zeros(self) -> Call:
        return lambda: cuvec.zeros((64, 64))

    def asarray(self, values: np.ndarray) -> Call:
        return lambda: cuvec.asarray(values)

    def empty(self, memory: str, n: int) -> np.ndarray:
        return np.empty(n, "f4") if memory == "NumPy" else cuvec.empty(n, "f4", memory)

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        axpy(A, x, y)

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        import torch  # here: it takes seconds
        from gpupkg import torch as operators

        from .tvm_ffi_source import in_turn  # here: other parts do not have it

        # Its schema in words: PyTorch does not see through annotations that are text.
        schema = "(float a, Tensor x, Tensor(a!) y) -> ()"

        @torch.library.custom_op("bench::axpy", mutates_args=("y",), schema=schema)
        def custom(a: float, x: torch.Tensor, y: torch.Tensor) -> None:
            axpy(a, x, y, stream=torch.cuda.current_stream().cuda_stream)

        beside = {"issue": lambda a, x, y, stream: lambda: axpy(a, x, y, stream=stream), BESIDE: in_turn}
        yield from on_their_stream(beside, ["CuPy"])
        ways = {"operator": operators.axpy, "dispatched": torch.ops.gpupkg.axpy, "custom_op": custom}
        for name, operator in ways.items():
            beside[name] = lambda a, x, y, _, it=operator: lambda: it(a, x, y)
        yield from on_their_stream(beside, ["PyTorch"])
        for library, arrays in LIBRARIES.items():
            with arrays() as theirs:
                x, y = theirs.x, theirs.y
            # Both work on the default stream now, and the call is on another one.
            yield f"issue, {library}", 4 * SMALL, times(self.issue(x, y), 50, 400, self.wait)
            yield f"export, {library}", 4 * SMALL, times(lambda x=x: self.export(x), 20, 400, self.wait)

        yield from batches("PyTorch", operators)

    def extra(self) -> Iterator[tuple[str, int, Times]]:
        ones = np.ones(SMALL, "f4")
        for number in (1, 4):
            calls = [self.waiting(self.on_gpu(ones), self.on_gpu(ones)) for _ in range(number)]
            yield f"threads {number}", ones.nbytes, of([seconds_in_threads(calls) for _ in range(5)])
        for hint in (False, True):
            yield f"long row, {'prefetched' if hint else 'managed'}", MIDDLE, of([self.row(hint) for _ in range(3)])
        if function := getattr(gpupkg, "matrix_product", None):  # in Rust
            yield from products(function)

    def row(self, hint: bool) -> float:
        """The seconds of a call of many on new arrays in managed memory, from the first one on."""
        x, y = cuvec.ones(MIDDLE // 4), cuvec.ones(MIDDLE // 4)
        if hint:
            x.prefetch("device")
            y.prefetch("device")
            cuvec.dev_sync()
        start = time.perf_counter()
        for _ in range(ROW):
            axpy(1, x, y)
        seconds = (time.perf_counter() - start) / ROW
        assert (y == 1 + ROW).all()
        return seconds

    def export(self, array: Any) -> None:
        """Requests of any consumer of DLPack to an array, for a stream that is not the exporter's."""
        array.__dlpack_device__()
        array.__dlpack__(stream=self.stream.ptr, max_version=(1, 1))
