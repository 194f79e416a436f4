"""The plots of what was measured, as SVG files. They are white on dark pages too: no grey has enough contrast with both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

from measured import LIMIT, Measured
from record import Record

mpl.use("svg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

SMALL = 4096  # bytes
TEXT = "#24292f"
STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "legend.framealpha": 0,
    "text.color": TEXT,
    "axes.labelcolor": TEXT,
    "axes.edgecolor": TEXT,
    "axes.titlecolor": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "grid.color": TEXT,
    "grid.alpha": 0.25,
    "axes.grid": True,
    "axes.axisbelow": True,
    "svg.fonttype": "none",
    "font.size": 9,
}
# Each at least 4.5:1 on white; series differ by their marker as well.
COLORS = ["#0969da", "#1a7f37", "#bc4c00", "#8250df", "#bf3989", "#9a6700", "#1b7c83", "#cf222e", "#57606a"]
MARKERS = "osD^v<>Ph"
SIZES = {1 << 10: "1 KiB", 1 << 14: "16 KiB", 1 << 18: "256 KiB", 1 << 22: "4 MiB", 1 << 26: "64 MiB", 1 << 30: "1 GiB"}
PATTERNS = ("once", "alternating", "consecutive")


def bytes_axis(axes: Axes, label: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel="size of an array", ylabel=label)
    low, high = axes.get_xlim()
    shown = {size: name for size, name in SIZES.items() if low <= size <= high}
    axes.set_xticks(list(shown), list(shown.values()))
    axes.set_xticks([], minor=True)


def looks() -> list[dict[str, object]]:
    return [{"color": color, "marker": marker, "markersize": 4} for color, marker in zip(COLORS, MARKERS, strict=True)]


def line(axes: Axes, records: list[Record], label: str, value: Callable[[Record], float], **style: object) -> None:
    if records:
        axes.plot([r.size for r in records], [value(r) for r in records], label=label, **style)


def bandwidth(measured: Measured, axes: Axes, shown: list[str]) -> None:
    """The traffic of `y += a x`, in GB/s, over the size of an array on the GPU."""

    def speed(arrays: int) -> Callable[[Record], float]:
        return lambda record: arrays * record.size / record.median / 1e9

    line(axes, measured.over_size(LIMIT, "axpy"), LIMIT, speed(3), color=TEXT, linewidth=3, alpha=0.6)
    copies = measured.over_size(LIMIT, "copy")
    line(axes, copies, "device copy", speed(2), color=TEXT, linestyle="--")
    for subject, look in zip(shown, looks(), strict=False):
        line(axes, measured.over_size(subject, "axpy"), subject, speed(measured.kinds[subject].arrays_moved), **look)
    bytes_axis(axes, "GB/s")


def round_trip(measured: Measured, axes: Axes, shown: list[tuple[str, str]]) -> None:
    """Time of a call and of reading its result, after the host has written both arrays, over their size."""
    line(
        axes,
        measured.best_policy("alternating"),
        "best in CUDA C++",
        milliseconds,
        color=TEXT,
        linewidth=3,
        alpha=0.6,
    )
    for (subject, memory), look in zip(shown, looks(), strict=False):
        records = measured.over_size(subject, f"alternating, {memory}")
        line(axes, records, f"{subject}, {memory}", milliseconds, **look)
    bytes_axis(axes, "ms")


def placement(measured: Measured, every: list[Axes], package: str) -> None:
    """Managed memory, three patterns, compared with every policy that stays the same."""
    for axes, pattern in zip(every, PATTERNS, strict=True):
        look, *others = looks()
        for policy, other in zip(("faults", "moved", "mapped"), others, strict=False):
            line(axes, measured.over_size(LIMIT, f"{pattern}, {policy}"), policy, milliseconds, **other)
        line(axes, measured.over_size(package, f"{pattern}, managed"), package, milliseconds, **look)
        axes.set_title(pattern)
        bytes_axis(axes, "ms of a call")


def calls(measured: Measured, axes: Axes) -> None:
    """Cost of a small call, with its quartiles."""
    found = [(s, measured.find(s, "issue", SMALL), measured.find(s, "wait", SMALL)) for s in measured.kinds]
    found = [(subject, issue, wait) for subject, issue, wait in found if issue and wait]
    for i, (label, color, hatch) in enumerate((("asynchronous", COLORS[0], ""), ("waiting", COLORS[2], "//"))):
        records = [row[1 + i] for row in found]
        spread = [[1e6 * (r.median - r.low) for r in records], [1e6 * (r.high - r.median) for r in records]]
        places = [n + 0.4 * i - 0.2 for n in range(len(found))]
        medians = [1e6 * r.median for r in records]
        axes.barh(
            places, medians, 0.36, xerr=spread, label=label, color=color, hatch=hatch, edgecolor="white", ecolor=TEXT
        )
    axes.set(xlabel="µs of a call on 1,024 elements", yticks=range(len(found)), yticklabels=[row[0] for row in found])
    axes.invert_yaxis()


def milliseconds(record: Record) -> float:
    return 1e3 * record.median


def draw(measured: Measured, output: Path) -> None:
    about = "{GPU and driver}, {date}, {commit}".format(**measured.about)
    ours = measured.packages
    peers = [name for name in measured.kinds if name not in (LIMIT, "raw ctypes", *measured.packages)]
    trips = [(name, memory) for name in ours[:1] for memory in ("managed", "pinned", "NumPy")]
    trips += [
        ("CuPy", "NumPy"),
        ("PyTorch", "NumPy"),
        ("raw ctypes", "NumPy"),
        ("CuVec", "managed"),
        ("NumCu", "managed"),
    ]
    with plt.rc_context(STYLE):
        for name, title, columns, painted in (
            (
                "bandwidth",
                "y += a x on arrays of the GPU, float32",
                1,
                lambda axes: bandwidth(measured, axes[0], ours + peers),
            ),
            (
                "calls",
                "one call of y += a x on 1,024 elements, median and quartiles",
                1,
                lambda axes: calls(measured, axes[0]),
            ),
            (
                "round-trip",
                "the CPU writes x and y, y += a x on the GPU, the CPU reads y",
                1,
                lambda axes: round_trip(measured, axes[0], trips),
            ),
            (
                "placement",
                "y += a x on managed memory, a call's share of the time",
                3,
                lambda axes: placement(measured, axes, ours[0]),
            ),
        ):
            figure, axes = plt.subplots(1, columns, figsize=(4 + 4 * columns, 4.5), squeeze=False, layout="constrained")
            painted(list(axes[0]))
            axes[0][-1].legend(fontsize=8)
            figure.suptitle(f"{title}\n{about}", fontsize=8)
            figure.savefig(output / f"{name}.svg")
            plt.close(figure)
