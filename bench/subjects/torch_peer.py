"""PyTorch: `add_` with `alpha`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from clock import Times
from foreign import on_their_stream

from .subject import A, Call, Subject


class Torch(Subject):
    memories = ("pinned", "NumPy")

    def on_gpu(self, values: np.ndarray) -> Any:
        return torch.from_numpy(values).cuda()

    def on_host(self, array: Any) -> np.ndarray:
        return array.cpu().numpy()

    def issue(self, x: Any, y: Any) -> Call:
        return lambda: y.add_(x, alpha=A)

    def wait(self) -> None:
        torch.cuda.current_stream().synchronize()

    def dot(self, x: Any, y: Any) -> Call:
        return lambda: torch.dot(x, y).item()

    def gemv(self, a: Any, x: Any) -> Call:
        y = torch.empty(len(a), device="cuda")
        return lambda: torch.mv(a, x, out=y)

    def zeros(self) -> Call:
        return lambda: torch.zeros((64, 64), device="cuda")

    def asarray(self, values: np.ndarray) -> Call:
        return lambda: torch.from_numpy(values).cuda()

    def empty(self, memory: str, n: int) -> np.ndarray:
        return torch.empty(n, pin_memory=memory == "pinned").numpy()

    def trip(self, x: np.ndarray, y: np.ndarray) -> None:
        result = torch.from_numpy(y)
        there = result.cuda(non_blocking=True)
        there.add_(torch.from_numpy(x).cuda(non_blocking=True), alpha=A)
        result.copy_(there)

    def foreign(self) -> Iterator[tuple[str, int, Times]]:
        return on_their_stream({"issue": lambda a, x, y, _: lambda: y.add_(x, alpha=a)}, ["PyTorch"])
