"""The CPU path compared with NumPy and a loop in C, from docs/cpu.json."""

from __future__ import annotations

from typing import Any

from table import rows_to_markdown

LONG = 1 << 14  # elements below which a call from Python, which the loop in C does not have, takes much of the time

INTRODUCTION = """\
Measured by `bench/cpu`.

How many times as fast as the fastest expression of NumPy, for arrays of any size, and as the loop in C with as many
threads (`bench/stream.c`): 1 is as fast, more is faster. All of one run, in turns; cpu.json has the times, and
of calls with NumPy's arrays. `dot` of float32 is added in float64, as the package promises, by NumPy in float32: it is
compared with `np.vecdot(x, y, dtype="float64")` as well. `gemv`, one of the functions of [functions.md](functions.md), is the
product of a square matrix of so many elements and a vector: a new array for each call, as NumPy's `a @ x` is, and with `out=`."""

FLOORS = """\
Why a package is slower than NumPy at some sizes:

- `dot` of float32: it is added in float64, so that an instruction has half as many elements, and each is converted first.
- `dot` of float64: with kernels in Rust it is added in twice the precision (algorithm Dot2), as on the GPU; in CUDA C++ on the CPU
  pairwise in float64.
- Where threads share the work: NumPy's wait awake for the next call, a package's soon sleep and leave the CPU to others.
- `gemv` of small matrices: a new array of a package takes about 0.6 µs, more than the product; with `out=` there is none.
- `dot`, and `gemv` of larger ones, as long as they are in the cache: NumPy multiplies and adds in one instruction, with AVX-512
  where there is any. A package has AVX2, and multiplies, rounds and adds in the same order on every machine, so that the
  bits are the same."""


def section(results: dict[str, Any]) -> list[str]:
    """Lines of Markdown, from a heading of the second level."""
    return [
        "## On the CPU",
        "",
        *INTRODUCTION.splitlines(),
        "",
        *(f"- {what}: {value}" for what, value in results["about"].items()),
        "",
        "Medians:",
        "",
        *goals(results, "median"),
        "Least times, which other processes on the machine change less:",
        "",
        *goals(results, "least"),
        *FLOORS.splitlines(),
        "",
        *calls(results["packages"], results["empty"]),
        *(line for function in functions(results) for line in sizes(results, function)),
    ]


def functions(results: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(row["function"] for row in results["rows"]))


def goals(results: dict[str, Any], statistic: str) -> list[str]:
    table = [["work", "compared with", "goal", "met", *(f"`{package}`" for package in results["packages"])]]
    for function in functions(results):
        for dtype in ("float32", "float64"):
            rows = rows_of(results, function, dtype, statistic)
            limits = {
                "the loop in C, largest arrays": ("C, ", 0.9, rows[-1:]),
                f"the loop in C, slowest from {size(LONG)}": (
                    "C, ",
                    0.9,
                    [row for row in rows if row["elements"] >= LONG],
                ),
                "NumPy, slowest size": ("NumPy", 1.0, rows),
            }
            if "float64" in rows[0]["seconds"]:
                limits["NumPy in float64, slowest size"] = ("float64", 1.0, rows)
            for beside, (limit, bound, judged) in limits.items():
                worst = [
                    min((ratio(row, limit, name), row["elements"]) for row in judged) for name in results["packages"]
                ]
                met = sum(round(value, 2) >= bound for value, _ in worst)
                cells = [f"**{value:.2f}** ({size(n)})" for value, n in worst]
                share = "yes" if met == len(worst) else f"{met} of {len(worst)}"
                table.append([f"`{function}`, {dtype}", beside, f"≥ {bound:.2f}", share, *cells])
    return rows_to_markdown(table)


def calls(packages: list[str], seconds: dict[str, float]) -> list[str]:
    """Time of a call before there is anything to compute."""
    row = {"seconds": seconds}
    names = ["NumPy", *(f"`{name}`" for name in packages)]
    times = [best(row, "NumPy"), *(seconds[name] for name in packages)]
    return rows_to_markdown([["median of a call", *names], ["`axpy`, empty arrays", *map(microseconds, times)]])


def sizes(results: dict[str, Any], function: str) -> list[str]:
    """Every size, each package beside NumPy and beside C, by medians."""
    beside = "/ NumPy, with `out=`, / C" if function == "gemv" else "/ NumPy, / C"
    head = [f"`{function}`", "elements", "NumPy", "C", *(f"`{name}` {beside}" for name in results["packages"])]
    table = [head]
    for dtype in ("float32", "float64"):
        for row in rows_of(results, function, dtype, "median"):
            cells = [cell(row, name) for name in results["packages"]]
            table.append(
                [dtype, size(row["elements"]), *(microseconds(best(row, x)) for x in ("NumPy", "C, ")), *cells]
            )
    return rows_to_markdown(table)


def cell(row: dict[str, Any], name: str) -> str:
    beside_numpy = [f"{ratio(row, 'NumPy', kind):.2f}" for kind in (name, f"{name} out") if kind in row["seconds"]]
    beside_c = f"{ratio(row, 'C, ', name):.2f}" if row["elements"] >= LONG else "–"
    return ", ".join([*beside_numpy, beside_c])


def rows_of(results: dict[str, Any], function: str, dtype: str, statistic: str) -> list[dict[str, Any]]:
    rows = [row for row in results["rows"] if (row["function"], row["dtype"]) == (function, dtype)]
    return [{"elements": row["elements"], "seconds": row[statistic]} for row in rows]


def ratio(row: dict[str, Any], limit: str, name: str) -> float:
    return best(row, limit) / row["seconds"][name]


def best(row: dict[str, Any], start: str) -> float:
    return min(time for name, time in row["seconds"].items() if name.startswith(start))


def size(elements: int) -> str:
    for power, unit in ((20, " Mi"), (10, " Ki")):
        if elements >> power:
            return f"{elements >> power}{unit}"
    return str(elements)


def microseconds(seconds: float) -> str:
    value = 1e6 * seconds
    return f"{value:.3g} µs" if value < 1000 else f"{value / 1000:.3g} ms"
