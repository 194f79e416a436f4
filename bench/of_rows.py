"""Functions of rows on a GPU, in turns with PyTorch's own, with what `torch.compile` makes of them, and with a copy of as many bytes.

    of_rows.py BUILT OUTPUT [FUNCTION…]

BUILT is the folder that `ci/gpu build cu rust` has filled. OUTPUT gets rows.json and rows.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from clock import by_events
from machine import driver, installed, today
from package import Package

TURNS = 9
CALLS = 10  # between two events
SHAPES = [(1 << 20, 128), (65536, 1024), (16384, 4096), (8192, 8192), (4096, 16384), (2048, 32768), (1024, 65536)]
SHAPES += [(32768, 768), (8192, 5003), (64, 1 << 20)]
# Bytes that a copy would read and write for each element of a row, in elements.
FUNCTIONS = {
    "rms_norm": 2,
    "rms_norm_bwd": 4,
    "rms_norm_sum_bwd": 3,
    "layer_norm": 2,
    "layer_norm_bwd": 5,
    "softmax": 2,
    "argmax": 1,
    "scan": 2,
}
NOT_IN_RUST = {"rms_norm_sum_bwd"}  # bench/kernels has it in C++ alone
BESIDE, ALONE = "--beside-pytorch", "--alone"  # how a process measures a package
DTYPES = {"argmax": ("float32",), "scan": ("float32",)}


def measured(names: list[str], *, beside: bool) -> Iterator[dict[str, object]]:
    """Measurements of each function, dtype and shape: seconds of the copy and of the package, and beside it of PyTorch, compiled too."""
    import gpupkg
    import torch
    from torch.nn import functional

    def rms_norm_bwd(dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, rstd: torch.Tensor) -> tuple:
        grad, scale = dy.float() * weight.float(), rstd[:, None]
        common = (grad * x).mean(-1, keepdim=True) * scale * scale
        return (scale * (grad - common * x)).to(x.dtype), (dy.float() * x * scale).to(x.dtype)

    def rms_norm_sum_bwd(dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, rstd: torch.Tensor) -> tuple:
        dx, _ = rms_norm_bwd(dy, x, weight, rstd)
        return dx, (dy.float() * x * rstd[:, None]).sum(0).to(x.dtype)

    def layer_norm_bwd(
        dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor
    ) -> tuple:
        grad, scale = dy.float() * weight.float(), rstd[:, None]
        normal = (x - mean[:, None]) * scale
        dx = scale * (grad - grad.mean(-1, keepdim=True) - normal * (grad * normal).mean(-1, keepdim=True))
        return dx.to(x.dtype), (dy.float() * normal).to(x.dtype), dy.clone()

    peers: dict[str, Callable[..., object]] = {
        "rms_norm": lambda x, weight: functional.rms_norm(x, weight.shape, weight, 1e-6),
        "rms_norm_bwd": rms_norm_bwd,
        "rms_norm_sum_bwd": rms_norm_sum_bwd,
        "layer_norm": lambda x, weight, bias: functional.layer_norm(x, weight.shape, weight, bias, 1e-5),
        "layer_norm_bwd": layer_norm_bwd,
        "softmax": lambda x: torch.softmax(x, -1),
        "argmax": lambda x: torch.argmax(x, -1),
        "scan": lambda x: torch.cumsum(x, -1),
    }

    def arguments(name: str, rows: int, n: int, dtype: torch.dtype) -> list[torch.Tensor]:
        def new(*shape: int, dtype: torch.dtype = dtype) -> torch.Tensor:
            return torch.randn(*shape, device="cuda").to(dtype)

        matrices, vectors, numbers = {
            "rms_norm": (1, 1, 0),
            "rms_norm_bwd": (2, 1, 1),
            "rms_norm_sum_bwd": (2, 1, 1),
            "layer_norm": (1, 2, 0),
            "layer_norm_bwd": (2, 1, 2),
        }.get(name, (1, 0, 0))
        return [
            *(new(rows, n) for _ in range(matrices)),
            *(new(n) for _ in range(vectors)),
            *(new(rows, dtype=torch.float32) for _ in range(numbers)),
        ]

    def check(results: tuple, expected: tuple, dtype: torch.dtype) -> None:
        for result, right in zip(results, expected, strict=True):
            limit = right.abs().max().item() * (2e-2 if dtype == torch.bfloat16 else 1e-4)
            torch.testing.assert_close(result, right, rtol=0, atol=limit)

    stream = torch.cuda.current_stream().cuda_stream or 1
    for name in names:
        function, peer = getattr(gpupkg, name), peers[name]
        for dtype in DTYPES.get(name, ("bfloat16", "float32")):
            for rows, n in SHAPES:
                torch.compiler.reset()  # or it compiles for all shapes after a few
                compiled = torch.compile(peer, dynamic=False)
                given = arguments(name, rows, n, getattr(torch, dtype))
                expected = peer(*given)
                expected = expected if isinstance(expected, tuple) else (expected,)
                out = tuple(torch.empty_like(it) for it in expected)

                def call(function: object = function, given: list = given, out: tuple = out) -> None:
                    function(*given, out=out if len(out) > 1 else out[0], stream=stream)

                call()
                if name != "argmax":
                    check(out, expected, getattr(torch, dtype))
                source = torch.empty(FUNCTIONS[name] * given[0].nbytes // 2, dtype=torch.uint8, device="cuda")
                target = torch.empty_like(source)
                works = {"copy": lambda source=source, target=target: target.copy_(source), "ours": call}
                if beside:
                    works["eager"] = lambda peer=peer, given=given: peer(*given)
                    works["compiled"] = lambda compiled=compiled, given=given: compiled(*given)
                times = by_events(*works.values(), turns=TURNS, calls=CALLS)
                seconds = {work: seen[TURNS // 2] for work, seen in zip(works, times, strict=True)}
                yield {"function": name, "dtype": dtype, "rows": rows, "n": n, **seconds}


def page(about: dict[str, str], figures: list[dict]) -> str:
    lines = [
        "# Functions of rows",
        "",
        "Written by `ci/gpu rows`; do not edit.",
        "",
        *(f"- {what}: {value}" for what, value in about.items()),
        "- command: `ci/gpu build cu rust`, then `ci/gpu rows`",
        "",
        "The functions of `bench/kernels` that are about rows, into an array that is there, in turns with PyTorch's own and with",
        "what `torch.compile` makes of the same. Figures are the part of the bandwidth that a copy of as many bytes has: 1 is a copy.",
        "",
        "*C++* is a `row` in CUDA C++, *Rust* the same function `by block`, in another process and alone: norms in C++ have up to 0.1",
        "more there, without PyTorch's calls between theirs. The last column is the faster of the two peers' times, divided by the time",
        "of C++. Where it is below 0.95, it is bold.",
        "",
        "| function | dtype | rows | elements of a row | PyTorch | compiled | C++ | Rust | × the best |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for it in figures:
        part = {who: it["copy"] / it[who] for who in ("eager", "compiled", "ours")}
        rust = f"{it['rust']:.2f}" if "rust" in it else "–"
        ratio = min(it["eager"], it["compiled"]) / it["ours"]
        shown = f"{ratio:.2f}" if ratio >= 0.95 else f"**{ratio:.2f}**"
        lines.append(
            f"| `{it['function']}` | {it['dtype']} | {it['rows']} | {it['n']} | {part['eager']:.2f} | {part['compiled']:.2f}"
            f" | {part['ours']:.2f} | {rust} | {shown} |"
        )
    slower = sum(1 for it in figures if min(it["eager"], it["compiled"]) / it["ours"] < 0.95)
    lines += [
        "",
        f"The goal is 1.00 of the best at each size. {len(figures) - slower} of {len(figures)} reach it within noise. The others are rows that do not fit into the registers of",
        "eight blocks, rows of odd lengths in bfloat16, and bfloat16 where there are many instructions for an element.",
        "In Rust a row has one block at most, so that few long rows take longer, and those above 32,768 float32 are read again for each step.",
        "",
    ]
    return "\n".join(lines)


def start(package: Package, how: str, *names: str) -> subprocess.Popen:
    """A process that prints a line for each measurement."""
    environment = {**os.environ, "CUVEC_DEVICE": "cuda", "PYTHONPATH": str(Path(__file__).parent)}
    command = [package.python, __file__, how, *names]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def finished(process: subprocess.Popen) -> list[dict]:
    """Measurements of a process, which are printed as they come, when it has ended."""
    figures = []
    with process:
        for line in process.stdout:
            figures.append(json.loads(line))
            print(line, end="", file=sys.stderr, flush=True)
    if process.returncode:
        raise SystemExit(process.returncode)
    return figures


def main(built: Path, output: Path, names: list[str]) -> None:
    cu, rust = (Package(built.resolve() / language) for language in ("cu", "rust"))
    cu.install()
    rust.install()
    # Side by side, and thrown away: what PyTorch compiles is in its cache then, for the measurement.
    for process in [start(cu, BESIDE, name) for name in names]:
        process.communicate()
    figures = finished(start(cu, BESIDE, *names))
    of_rust = finished(start(rust, ALONE, *(name for name in names if name not in NOT_IN_RUST)))
    parts = {key_of(it): it["copy"] / it["ours"] for it in of_rust}
    for it in figures:
        if key_of(it) in parts:
            it["rust"] = parts[key_of(it)]
    about = {
        "GPU and driver": driver(),
        "date": today(),
        "commit": Path(built, "commit").read_text().strip(),
        "versions": installed(["numpy", "torch"]),
    }
    (output / "rows.json").write_text(json.dumps({"about": about, "figures": figures}) + "\n")
    (output / "rows.md").write_text(page(about, figures), encoding="utf-8")


def key_of(figure: dict) -> tuple:
    return tuple(figure[name] for name in ("function", "dtype", "rows", "n"))


if __name__ == "__main__":
    if sys.argv[1] in {BESIDE, ALONE}:
        for figure in measured(sys.argv[2:], beside=sys.argv[1] == BESIDE):
            print(json.dumps(figure), flush=True)
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or [*FUNCTIONS])
