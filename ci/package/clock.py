"""Where the time of a run goes: seconds of the wall and of the processor, in a table."""

from __future__ import annotations

import os
import resource
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds of the wall, and of the processor for this process and the children that it has waited for."""

    wall: float
    cpu: float

    @classmethod
    def so_far(cls) -> Spent:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return cls(time.monotonic(), sum(each.ru_utime + each.ru_stime for each in used))

    def since(self, start: Spent) -> Spent:
        return Spent(self.wall - start.wall, self.cpu - start.cpu)


def totals(parts: Iterable[tuple[str, Spent]]) -> list[tuple[str, Spent]]:
    """One row for each title, the one that took most of the processor first."""
    wall: Counter[str] = Counter()
    cpu: Counter[str] = Counter()
    for title, spent in parts:
        wall[title] += spent.wall
        cpu[title] += spent.cpu
    return [(title, Spent(wall[title], seconds)) for title, seconds in cpu.most_common()]


def earlier_steps() -> list[tuple[str, Spent]]:
    """What ci/step.sh wrote down, if it is `ci/test` that runs this: seconds of wall and processor, and a title."""
    lines = Path(os.environ["STEP_TIMES"]).read_text().splitlines() if "STEP_TIMES" in os.environ else []
    rows = [line.split("\t") for line in lines]
    return [(title, Spent(float(wall), sum(map(float, cpu.split("+"))))) for wall, cpu, title in rows]


def of_the_cache() -> list[tuple[str, Spent]]:
    """The server of sccache compiles for all tests, and so its time is none of theirs."""
    stat = Path(f"/proc/{os.environ.get('SCCACHE_SERVER', 'none')}/stat")
    if not stat.exists():
        return []
    fields = stat.read_text().rpartition(")")[2].split()
    ticks = sum(map(int, fields[11:15]))  # its own and its children's
    return [("compilers, through the cache", Spent(0, ticks / os.sysconf("SC_CLK_TCK")))]


def table(title: str, rows: list[tuple[str, Spent]]) -> list[str]:
    """Lines of text."""
    width = max(len(name) for name, _ in [(title, None), *rows])
    head = f"{title:<{width}}  {'wall':>6}  {'CPU':>6}"
    return [head, *(f"{name:<{width}}  {clock(spent.wall):>6}  {clock(spent.cpu):>6}" for name, spent in rows)]


def clock(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02d}"
