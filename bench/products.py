"""Times `matrix_product` of tests/conformance/kernels, on tensor cores, in turns with cuBLAS, which PyTorch calls.

    products.py PACKAGE [FUNCTION…]

prints a table for a package that has the functions, such as the suite of `ci/gpu build rust`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

from clock import Times, Work, batch, of

SIZES = (4096, 8192)  # rows and columns
DTYPES = ("float16", "bfloat16", "float32")  # which is rounded to TF32
BESIDE = "cuBLAS"
BATCHES = 20
SECONDS = 0.02  # of a batch


def in_turns(calls: list[Work], wait: Work) -> list[Times]:
    """A batch of one after a batch of the other: their clocks, which depend on the heat, are the same."""
    repeats = max(1, round(SECONDS / min(batch(call, wait, 5) for call in calls)))
    batches = [[batch(call, wait, repeats) for call in calls] for _ in range(BATCHES)]
    return [of(list(seconds)) for seconds in zip(*batches, strict=True)]


def products(function: Any) -> Iterator[tuple[str, int, Times]]:
    """The work, the bytes of a matrix, and the seconds of a product, after a look at what was calculated."""
    import torch  # here: it takes seconds

    torch.backends.cuda.matmul.allow_tf32 = True
    stream = torch.cuda.current_stream()
    for dtype in DTYPES:
        for n in SIZES:
            kind = getattr(torch, dtype)
            a, b = (torch.rand((n, n), device="cuda").to(kind) - 0.5 for _ in range(2))
            c, d = (torch.empty((n, n), device="cuda", dtype=kind) for _ in range(2))
            calls = [
                lambda a=a, b=b, c=c: function(a, b, out=c, stream=stream.cuda_stream),
                lambda a=a, b=b, d=d: torch.matmul(a, b, out=d),
            ]
            for call in calls:
                call()
            torch.testing.assert_close(c.float(), d.float(), rtol=0.02, atol=0.02 * n**0.5)
            for work, times in zip(("", f", {BESIDE}"), in_turns(calls, stream.synchronize), strict=True):
                yield f"product, {dtype}{work}", n * n * a.element_size(), times


def main() -> None:
    name, *functions = sys.argv[1:]
    package = importlib.import_module(name)
    for function in functions or ["matrix_product", "wide_product"]:
        print(function)
        table(getattr(package, function))


def table(function: Any) -> None:
    found = products(function)
    for (work, size, ours), (*_, theirs) in zip(found, found, strict=True):
        n = round((size / (4 if "32" in work else 2)) ** 0.5)
        rates = [2 * n**3 / times.median / 1e12 for times in (ours, theirs)]
        print(f"{work}, {n} x {n}: {rates[0]:.0f} TFLOP/s, {BESIDE} {rates[1]:.0f}: {rates[0] / rates[1]:.2f}")


if __name__ == "__main__":
    main()
