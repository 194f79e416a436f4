"""Functions of a language model on a GPU, in turns with PyTorch's own, with what `torch.compile` makes of them, and with a copy of as
many bytes; and element-wise calls on arrays that are not alike.

    of_rows.py BUILT OUTPUT [FUNCTION…]

BUILT is the folder that `ci/gpu build cu rust` has filled. OUTPUT gets rows.json, rows.md and rows.svg.
"""

from __future__ import annotations

import importlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch.nn import functional

from clock import by_events
from machine import driver, installed, today
from package import Package
from strides import compared

TURNS = 9
CALLS = 10  # between two events
SHAPES = [(1 << 20, 128), (65536, 1024), (16384, 4096), (8192, 8192), (4096, 16384), (2048, 32768), (1024, 65536)]
SHAPES += [(32768, 768), (8192, 5003), (64, 1 << 20)]
FEWER = [(1 << 20, 128), (65536, 1024), (16384, 4096), (4096, 16384), (1024, 65536)]
ONE = [(8192, 8192)]
OF_HALF = [(16384, 4096)]  # of float16, which differs from bfloat16 in conversions alone
NOT_IN_RUST = {"rms_norm_sum_bwd"}  # bench/kernels has it in C++ alone
BESIDE, ALONE, STRIDES = "--beside-pytorch", "--alone", "--strides"  # how a process measures a package
SHOWN = ("rms_norm", "add_rms_norm", "layer_norm", "softmax", "cross_entropy", "silu_and_mul")  # in the plot
WHO = {"eager": "PyTorch", "compiled": "compiled", "ours": "C++", "rust": "Rust"}
ALL, BOTH, FLOAT = ("bfloat16", "float16", "float32"), ("bfloat16", "float32"), ("float32",)
# Dtypes, rows and elements of them, and what a function takes: letters as in `arguments`.
FUNCTIONS: dict[str, tuple[tuple[str, ...], list[tuple[int, int]], str]] = {
    "rms_norm": (ALL, SHAPES, "mv"),
    "rms_norm_bwd": (ALL, SHAPES, "mmvs"),
    "rms_norm_sum_bwd": (ALL, SHAPES, "mmvs"),
    "add_rms_norm": (ALL, FEWER, "mmv"),
    "layer_norm": (ALL, SHAPES, "mvv"),
    "layer_norm_bwd": (ALL, SHAPES, "mmvss"),
    "softmax": (ALL, SHAPES, "m"),
    "cross_entropy": (ALL, FEWER, "mi"),
    "cross_entropy_bwd": (ALL, FEWER, "smil"),
    "silu_and_mul": (ALL, FEWER, "h"),
    "silu_and_mul_bwd": (ALL, FEWER, "mh"),
    "rotate_halves": (BOTH, [(1 << 20, 128)], "raa"),
    "quantize_rows": (BOTH, [(1 << 20, 128)], "m"),
    "argmax": (FLOAT, SHAPES, "m"),
    "scan": (FLOAT, SHAPES, "m"),
    "top_k": (FLOAT, [(16384, 4096)], "mk"),
    "gelu": (ALL, ONE, "m"),
    "scale": (FLOAT, ONE, "tm"),
}
IN_PLACE = {"rotate_halves": [0, 1], "scale": [1]}  # which arguments are written


def arguments(kinds: str, rows: int, n: int, dtype: torch.dtype) -> list[torch.Tensor | float]:
    """A matrix, the halves of one twice as wide, and of the 32 heads of each token, a vector, a number for each row, one above
    all of a row, an index for each, angles for each token, how many are taken, and a factor."""

    def new(*shape: int, dtype: torch.dtype = dtype) -> torch.Tensor:
        return torch.randn(*shape, device="cuda").to(dtype)

    some = {
        "m": lambda: [new(rows, n)],
        "h": lambda: new(rows, 2 * n).chunk(2, -1),
        "r": lambda: new(rows // 32, 32, n).chunk(2, -1),
        "v": lambda: [new(n)],
        "s": lambda: [new(rows, dtype=torch.float32)],
        "l": lambda: [new(rows, dtype=torch.float32) + 9],
        "i": lambda: [torch.randint(n, (rows,), device="cuda")],
        "a": lambda: [new(rows // 32, 1, n // 2, dtype=torch.float32)],
        "k": lambda: [8],
        "t": lambda: [1.0],
    }
    return [argument for kind in kinds for argument in some[kind]()]


def rms_norm_bwd(dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, rstd: torch.Tensor) -> tuple:
    grad, scale = dy.float() * weight.float(), rstd[:, None]
    common = (grad * x).mean(-1, keepdim=True) * scale * scale
    return (scale * (grad - common * x)).to(x.dtype), (dy.float() * x * scale).to(x.dtype)


def rms_norm_sum_bwd(dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, rstd: torch.Tensor) -> tuple:
    dx, _ = rms_norm_bwd(dy, x, weight, rstd)
    return dx, (dy.float() * x * rstd[:, None]).sum(0).to(x.dtype)


def add_rms_norm(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> tuple:
    added = x + residual
    return functional.rms_norm(added, weight.shape, weight, 1e-6), added


def layer_norm_bwd(
    dy: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor
) -> tuple:
    grad, scale = dy.float() * weight.float(), rstd[:, None]
    normal = (x - mean[:, None]) * scale
    dx = scale * (grad - grad.mean(-1, keepdim=True) - normal * (grad * normal).mean(-1, keepdim=True))
    return dx.to(x.dtype), (dy.float() * normal).to(x.dtype), dy.clone()


def cross_entropy_bwd(dloss: torch.Tensor, x: torch.Tensor, target: torch.Tensor, lse: torch.Tensor) -> torch.Tensor:
    is_target = torch.arange(x.shape[-1], device=x.device) == target[:, None]
    return (dloss[:, None] * (torch.exp(x.float() - lse[:, None]) - is_target.float())).to(x.dtype)


def silu_and_mul(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    return (functional.silu(gate.float()) * up).to(gate.dtype)


def silu_and_mul_bwd(dy: torch.Tensor, gate: torch.Tensor, up: torch.Tensor) -> tuple:
    x, grad = gate.float(), dy.float()
    part = torch.sigmoid(x)
    grads = grad * part * up * (1 + x * (1 - part)), grad * part * x
    return torch.cat([it.to(dy.dtype) for it in grads], -1).chunk(2, -1)


def rotate_halves(a: torch.Tensor, b: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> tuple:
    turned = a * cosine - b * sine, a * sine + b * cosine
    return torch.cat([it.to(a.dtype) for it in turned], -1).chunk(2, -1)


def quantize_rows(x: torch.Tensor) -> tuple:
    scale = x.float().abs().amax(-1) / 448
    return (x.float() / scale[:, None]).to(torch.float8_e4m3fn), scale


PEERS: dict[str, Callable[..., object]] = {
    "rms_norm": lambda x, weight: functional.rms_norm(x, weight.shape, weight, 1e-6),
    "rms_norm_bwd": rms_norm_bwd,
    "rms_norm_sum_bwd": rms_norm_sum_bwd,
    "add_rms_norm": add_rms_norm,
    "layer_norm": lambda x, weight, bias: functional.layer_norm(x, weight.shape, weight, bias, 1e-5),
    "layer_norm_bwd": layer_norm_bwd,
    "softmax": lambda x: torch.softmax(x, -1),
    "cross_entropy": lambda x, target: functional.cross_entropy(x.float(), target, reduction="none"),
    "cross_entropy_bwd": cross_entropy_bwd,
    "silu_and_mul": silu_and_mul,
    "silu_and_mul_bwd": silu_and_mul_bwd,
    "rotate_halves": rotate_halves,
    "quantize_rows": quantize_rows,
    "argmax": lambda x: torch.argmax(x, -1),
    "scan": lambda x: torch.cumsum(x, -1),
    "top_k": lambda x, k: tuple(torch.topk(x, k)),
    "gelu": functional.gelu,
    "scale": lambda a, x: a * x,
}


def like(tensor: torch.Tensor) -> torch.Tensor:
    """New memory of the same strides."""
    whole = torch.empty_like(tensor if tensor._base is None else tensor._base)
    return whole.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())


def check(results: list, expected: tuple) -> None:
    for result, right in zip(results, expected, strict=True):
        right = right.float()
        limit = right.abs().max().item() * (1e-4 if result.dtype == torch.float32 else 2e-2)
        limit = max(limit, 40.0 if result.dtype == torch.float8_e4m3fn else 0)  # 448 is followed by 416
        torch.testing.assert_close(result.float(), right, rtol=0, atol=limit)


def measured(names: list[str], *, beside: bool) -> Iterator[dict[str, object]]:
    """Measurements of each function, dtype and shape: seconds of the copy and of the package, and beside it of PyTorch, compiled too."""
    import gpupkg

    stream = torch.cuda.current_stream().cuda_stream or 1
    for name in names:
        function, peer = getattr(gpupkg, name), PEERS[name]
        dtypes, shapes, kinds = FUNCTIONS[name]
        wanted = [(dtype, shape) for dtype in dtypes for shape in (OF_HALF if dtype == "float16" else shapes)]
        for dtype, (rows, n) in wanted:
            torch.compiler.reset()  # or it compiles for all shapes after a few
            compiled = torch.compile(peer, dynamic=False)
            given = arguments(kinds, rows, n, getattr(torch, dtype))
            expected = peer(*given)
            expected = (expected,) if isinstance(expected, torch.Tensor) else expected
            written = [given[place] for place in IN_PLACE.get(name, [])]
            out = [] if written else [like(it) for it in expected]
            results = {"out": tuple(out) if len(out) > 1 else out[0]} if out else {}

            def call(function: object = function, given: list = given, results: dict = results) -> None:
                function(*given, **results, stream=stream)

            call()
            if name not in {"argmax", "top_k"}:  # of equal ones, each takes its own
                check([*written, *out], expected)
            arrays = [it for it in (*given, *written, *out) if isinstance(it, torch.Tensor)]
            source = torch.empty(sum(it.nbytes for it in arrays) // 2, dtype=torch.uint8, device="cuda")
            target = torch.empty_like(source)
            works = {"copy": lambda source=source, target=target: target.copy_(source), "ours": call}
            if beside:
                works["eager"] = lambda peer=peer, given=given: peer(*given)
                works["compiled"] = lambda compiled=compiled, given=given: compiled(*given)
            times = by_events(*works.values(), turns=TURNS, calls=CALLS)
            seconds = {work: seen[TURNS // 2] for work, seen in zip(works, times, strict=True)}
            yield {"function": name, "dtype": dtype, "rows": rows, "n": n, **seconds}


def part(figure: dict, who: str) -> float:
    return figure["rust"] if who == "rust" else figure["copy"] / figure[who]


def page(about: dict[str, str], figures: list[dict], alike: dict[str, list[dict]]) -> str:
    lines = [
        "# Functions of a language model",
        "",
        "Written by `ci/gpu rows`; do not edit.",
        "",
        *(f"- {what}: {value}" for what, value in about.items()),
        "- command: `ci/gpu build cu rust`, then `ci/gpu rows`",
        "",
        "Functions of `bench/kernels`, into arrays that are there or in place, in turns with PyTorch's own and with what `torch.compile`",
        "makes of the same. Figures are the part of the bandwidth that a copy of as many bytes has: 1 is a copy.",
        "",
        "*C++* is CUDA C++, *Rust* the same function in another process and alone. The last column is the faster of the two peers' times, divided by the time of C++. Where it is",
        "below 0.95, it is bold. Exponentials are `fast::exp`, as Triton's are; PyTorch's own are right to the last bits. The halves of `silu_and_mul` and of the heads of `rotate_halves` are parts of one array, which element-wise functions use where they are.",
        "",
        "![Part of the bandwidth of a copy over the elements of a row](rows.svg)",
        "",
        "| function | dtype | rows | elements of a row | PyTorch | compiled | C++ | Rust | × the best |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for it in figures:
        parts = " | ".join(f"{part(it, who):.2f}" if who in it else "–" for who in WHO)
        ratio = min(it["eager"], it["compiled"]) / it["ours"]
        shown = f"{ratio:.2f}" if ratio >= 0.95 else f"**{ratio:.2f}**"
        lines.append(f"| `{it['function']}` | {it['dtype']} | {it['rows']} | {it['n']} | {parts} | {shown} |")
    slower = sum(1 for it in figures if min(it["eager"], it["compiled"]) / it["ours"] < 0.95)
    lines += [
        "",
        f"The goal is 1.00 of the best at each size. {len(figures) - slower} of {len(figures)} reach it within noise. The others are",
        "",
        "- float16: what is not a number keeps its bits, as in ml_dtypes, which takes four more instructions;",
        "- derivatives of norms of 32,768 elements and more, which fill the registers of several blocks, and scans of such rows;",
        "- 64 rows of 1,048,576 elements, rows of odd lengths, and short rows;",
        "- 16-bit functions with many instructions for an element.",
        "",
        "In Rust a row has one block at most, so that few long rows take longer, and those above 32,768 float32 are read again for each step.",
        "",
        "## Arrays that are not alike",
        "",
        "`y += 2 * x`, the sample `axpy`, of 8192 × 8192 float32, in turns with `y.add_(x, alpha=2)`: milliseconds, and how many times as",
        "long as `add_` the functions take in each language. The goal is 1.10 at most, and no memory.",
        "",
        "| arrays | `add_` | C++ | × `add_` | Rust | × `add_` |",
        "|---|---|---|---|---|---|",
    ]
    for one, other in zip(alike["cu"], alike["rust"], strict=True):
        ours = " | ".join(times_of(it) for it in (one, other))
        lines.append(f"| {one['arrays']} | {1000 * one['add_']:.3f} | {ours} |")
    most = max(it["memory"] for language in alike.values() for it in language) >> 20
    lines += ["", f"A call takes {most} MiB of the GPU's memory at most, the first one, which loads its code.", ""]
    return "\n".join(lines)


def times_of(it: dict) -> str:
    ratio = it["axpy"] / it["add_"]
    return f"{1000 * it['axpy']:.3f} | {ratio:.2f}" if ratio <= 1.1 else f"{1000 * it['axpy']:.3f} | **{ratio:.2f}**"


def plot(about: dict[str, str], figures: list[dict], output: Path) -> None:
    from plots import STYLE, looks, plt  # here: the processes that measure draw nothing

    with plt.rc_context(STYLE):
        drawn, every = plt.subplots(
            len(BOTH), len(SHOWN), figsize=(16, 6), sharex=True, sharey=True, squeeze=False, layout="constrained"
        )
        for (dtype, name), axes in zip(itertools.product(BOTH, SHOWN), every.flat, strict=True):
            rows = [it for it in figures if (it["function"], it["dtype"]) == (name, dtype)]
            rows = [it for it in rows if (it["rows"], it["n"]) in SHAPES[:7]]
            for (who, label), look in zip(WHO.items(), looks(), strict=False):
                axes.plot([it["n"] for it in rows], [part(it, who) for it in rows], label=label, **look)
            axes.set(xscale="log", ylim=(0, 1.1), title=f"{name}, {dtype}")
        for axes in every[-1]:
            axes.set_xlabel("elements of a row")
        for axes in every[:, 0]:
            axes.set_ylabel("part of the bandwidth of a copy")
        every[0][0].legend(fontsize=8)
        drawn.suptitle("{GPU and driver}, {date}, {commit}".format(**about), fontsize=8)
        drawn.savefig(output)


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
    alike = {package.name: finished(start(package, STRIDES)) for package in (cu, rust)}
    (output / "rows.json").write_text(json.dumps({"about": about, "figures": figures, "alike": alike}) + "\n")
    (output / "rows.md").write_text(page(about, figures, alike), encoding="utf-8")
    plot(about, figures, output / "rows.svg")


def key_of(figure: dict) -> tuple:
    return tuple(figure[name] for name in ("function", "dtype", "rows", "n"))


if __name__ == "__main__":
    if sys.argv[1] in {BESIDE, ALONE, STRIDES}:
        if sys.argv[1] == STRIDES:
            found = compared(importlib.import_module("gpupkg").axpy)
        else:
            found = measured(sys.argv[2:], beside=sys.argv[1] == BESIDE)
        for figure in found:
            print(json.dumps(figure), flush=True)
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or [*FUNCTIONS])
