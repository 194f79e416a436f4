"""Options of commands on this package, and their errors: `python -m tomography`, and other packages."""

import argparse
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

PICTURES = (".png", ".svg", ".pdf", ".jpg")


def parser(name: str, doc: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m name`, which does what `doc` says before its colon."""
    return argparse.ArgumentParser(
        prog=f"python -m {name}",
        description=(doc or "").partition(":")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        default=os.environ.get("CUVEC_DEVICE", "auto"),
        choices=["auto", "cuda", "cpu"],
        help="where to compute",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="draw a picture, such as picture.png"
    )


def parsed(
    parser: argparse.ArgumentParser, what_is_wrong: Callable[[argparse.Namespace], str | None]
) -> argparse.Namespace:
    """The options; if something is wrong with them, the program ends and says it."""
    options = parser.parse_args()
    if problem := what_is_wrong(options) or problem_with_output(options.output):
        parser.error(problem)
    return options


def too_small(options: argparse.Namespace, **least: float) -> str | None:
    """Error of the first option that is below its least number, or none."""
    for name, value in least.items():
        if not getattr(options, name) >= value:
            return f"--{name} must be {value} or more"
    return None


def problem_with_output(output: Path | None) -> str | None:
    if output and not importlib.util.find_spec("matplotlib"):
        return "--output needs matplotlib: pip install matplotlib"
    if output and output.suffix not in PICTURES:
        return f"--output must end in one of {', '.join(PICTURES)}"
    if output and not output.absolute().parent.is_dir():
        return f"--output: there is no folder `{output.parent}`"
    return None
