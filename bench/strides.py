"""Element-wise calls on arrays that are not alike, in turns with PyTorch's `add_`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from clock import by_events

N = 8192
TURNS = 21


def cases() -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """Arrays that are read, and that are written: float32, 256 MiB where nothing else is said."""

    def new(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, device="cuda")

    x, y, wide, other = new(N, N), new(N, N), new(N, 2 * N), new(N, 2 * N)
    odd = new(N * N + 1)[1:].view(N, N)
    nine = (7,) * 9
    return {
        "same shape": (x, y),
        "a row": (new(N), y),
        "a column": (new(N, 1), y),
        "one element": (new(1)[0], y),
        "transposed": (x.t(), y),
        "every second column": (wide[:, ::2], y),
        "half of the columns": (wide[:, N:], y),
        "written: transposed": (x, y.t()),
        "written: every second column": (x, other[:, ::2]),
        "written: half of the columns": (x, other[:, :N]),
        "both: every second column": (wide[:, ::2], other[:, ::2]),
        "transposed, every second row": (wide[:, ::2].t(), y),
        "not aligned to 8 bytes": (odd, y),
        "written: not aligned to 8 bytes": (x, odd),
        "three dimensions, permuted": (new(256, N, 32).permute(1, 0, 2), y.view(N, 256, 32)),
        "three columns": (new(3, N * N // 4).t(), new(N * N // 4, 3)),
        "nine dimensions, reversed": (new(*nine).permute(*range(8, -1, -1)), new(*nine)),
    }


def compared(axpy: Callable[..., object]) -> Iterator[dict[str, object]]:
    """Seconds of `add_` and of `axpy` in each case, and how much memory the first call of `axpy` takes."""
    stream = torch.cuda.current_stream().cuda_stream or 1
    for name, (x, y) in cases().items():
        expected = y.add(x, alpha=2)
        torch.cuda.synchronize()
        before, _ = torch.cuda.mem_get_info()
        axpy(2, x, y, stream=stream)
        torch.cuda.synchronize()
        after, _ = torch.cuda.mem_get_info()
        torch.testing.assert_close(y, expected, rtol=1e-5, atol=1e-5)
        times = by_events(
            lambda x=x, y=y: y.add_(x, alpha=2), lambda x=x, y=y: axpy(2, x, y, stream=stream), turns=TURNS
        )
        theirs, ours = (seen[TURNS // 3] for seen in times)
        yield {"arrays": name, "add_": theirs, "axpy": ours, "memory": before - after}
