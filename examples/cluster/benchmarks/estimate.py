"""Writes the table of SCALING.md: how many GPUs this keeps busy, from figures in hosts.json and cuda.json beside this."""

import json
import math
import re
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "SCALING.md"
TABLE = re.compile(r"(<!-- figures -->\n).*(<!-- /figures -->)", re.DOTALL)
GPUS = 1000
NETWORK = 12.5e9  # bytes a second: 100 Gbit/s
WORKER = "1 worker"


def page(text: str) -> str:
    """The page with the table as it is to be."""
    table = "\n".join(lines())
    found, count = TABLE.subn(lambda marks: f"{marks[1]}{table}\n{marks[2]}", text)
    assert count == 1, f"{PAGE}: there are no marks for the table"
    return found


def lines() -> list[str]:
    hosts, cuda = (json.loads((FOLDER / f"{name}.json").read_text()) for name in ("hosts", "cuda"))
    (worker,) = (row for row in cuda["figures"] if row["who"] == WORKER)
    rate = worker["amount"] / worker["seconds"]  # slices a second of one GPU
    bounds = {
        "a scheduler": 1 / hosts["seconds of the scheduler for a slice"],
        "a client": 1 / hosts["seconds of the client for a slice"],
        "a client's network, 100 Gbit/s": NETWORK / hosts["bytes to the client for a slice"],
    }
    measured = {
        "a scheduler": f"{1e6 * hosts['seconds of the scheduler for a slice']:.0f} µs of its CPU",
        "a client": f"{1e6 * hosts['seconds of the client for a slice']:.0f} µs of its CPU",
        "a client's network, 100 Gbit/s": f"{hosts['bytes to the client for a slice']:,} bytes",
    }
    told = (
        f"{hosts['hosts']} hosts with {hosts['workers']} workers in all, which are network namespaces of one machine with "
        f"{hosts['cores']} cores; {hosts['date']}, distributed {hosts['versions']['distributed']}: "
        f"{hosts['slices']} slices of {hosts['size']} × {hosts['size']}, {hosts['slices a second']} a second. "
        f"{len(hosts['lost'])} workers lost in the middle, one killed and the others behind a link: the same images, in "
        f"{hosts['seconds with losses']} s instead of {hosts['slices'] / hosts['slices a second']:.1f} s. "
        f"A GPU ({cuda['processor']}) does {rate:.1f} slices a second."
    )
    rows = [
        f"| {who} | {measured[who]} | {bound:,.0f} | {bound / rate:,.0f} | {math.ceil(GPUS * rate / bound)} |"
        for who, bound in bounds.items()
    ]
    head = (
        "| what | for a slice | slices a second | GPUs | slices in a task, or clients, for 1,000 |"
    )
    return [told, "", head, "|---|---|---|---|---|", *rows]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
