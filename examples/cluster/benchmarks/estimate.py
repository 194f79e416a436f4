"""Writes the table of SCALING.md: how many GPUs this keeps busy, from hosts.json beside this and the time of a worker with a GPU in docs/two-gpus.md."""

import json
import math
import re
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "SCALING.md"
GPU = FOLDER.parents[2] / "docs/two-gpus.md"
TABLE = re.compile(r"(<!-- figures -->\n).*(<!-- /figures -->)", re.DOTALL)
GPUS = 1000
NETWORK = 12.5e9  # bytes a second: 100 Gbit/s
WORKER = re.compile(
    r"^\| `tomography`, (\d+) slices of 256 × 256, .* \| ([\d.]+) s \| [\d.]+ s \|", re.MULTILINE
)
ABOUT = re.compile(r"^- (GPUs and driver|commit): (?:\d+ × )?(.*)$", re.MULTILINE)


def page(text: str) -> str:
    """The page with the table as it is to be."""
    table = "\n".join(lines())
    found, count = TABLE.subn(lambda marks: f"{marks[1]}{table}\n{marks[2]}", text)
    assert count == 1, f"{PAGE}: there are no marks for the table"
    return found


def measured_on_a_gpu() -> tuple[float, str, str]:
    """Slices a second of one worker with a GPU, which GPU and driver, and the commit."""
    text = GPU.read_text("utf-8")
    slices, seconds = WORKER.search(text).groups()
    about = dict(ABOUT.findall(text))
    return int(slices) / float(seconds), about["GPUs and driver"], about["commit"]


def lines() -> list[str]:
    hosts = json.loads((FOLDER / "hosts.json").read_text())
    rate, gpu, commit = measured_on_a_gpu()
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
        f"A GPU ({gpu}) does {rate:.1f} slices a second at {commit}."
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
