"""The programs in examples/ on this GPU: their tests, their commands in full size, and their measurements.

examples.py [--output FOLDER] BUILT [NAME…]: figures and pictures go to FOLDER, or to the examples. Ends with a failure if
anything failed.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gallery import EXAMPLES, full_size, is_package
from suite import Count, end, libraries_of_cuda, run_programs, run_suite

ROOT = Path(__file__).resolve().parents[2]


class Examples:
    """A folder with the wheels of all of them, and of what their tests need and a machine may lack."""

    def __init__(self, folder: Path, python: Path, names: Sequence[str] = ()) -> None:
        """They go into the environment of `python`. With names, only those are run."""
        self.examples = [example for example in EXAMPLES if not names or example.name in names]
        self.folder = folder
        self.python = python
        pip = [self.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall"]
        subprocess.run([*pip, *sorted(folder.glob("*.whl"))], check=True)

    def runs(self) -> dict[str, list[Count]]:
        """Test counts by example: of its tests, and of its command in full size."""
        return {example.name: [*self._runs(example)] for example in self.examples}

    def _runs(self, example: Path) -> Iterator[Count]:
        environment = libraries_of_cuda()
        yield run_suite(f"tests of {example.name}", [self.python], [example / "tests"], self.folder, **environment)
        picture = self.folder / f"{example.name}.png"
        command = [self.python, "-m", example.name, "--device", "cuda", "--output", picture]
        command += ["--size", str(full_size(example))]
        yield run_programs("in full size", [command], **environment)
        checked = [self.python, ROOT / "ci/device/opcheck.py", example.name]
        yield run_programs("operators of PyTorch", [checked] if is_package(example) else [], **environment)

    def figures(self, output: Path | None) -> None:
        """Measures each, compared with what people use today."""
        for example in self.examples:
            folder = None
            if output:
                folder = output / "examples" / example.name
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "picture.png").write_bytes((self.folder / f"{example.name}.png").read_bytes())
            self.measure(example.name, folder)

    def measure(self, name: str, folder: Path | None) -> None:
        """Measures one; figures go to `cuda.json` in the folder."""
        paths = [str(ROOT / name) for name in ("bench", "bench/kernels")]
        environment = {**os.environ, **libraries_of_cuda(), "PYTHONPATH": os.pathsep.join(paths)}
        command = [self.python, ROOT / "bench/figures", name, "--device", "cuda"]
        command += ["--output", folder] if folder else []
        subprocess.run(command, check=True, env=environment)


def rows(counts: dict[str, list[Count]]) -> list[list[str]]:
    """A table of what passed."""
    named = [[f"[{name}](../examples/{name}/README.md)", *map(str, row)] for name, row in counts.items()]
    return [["example", "tests", "command in full size", "`opcheck` of its operators"], *named]


def installed(built: Path, names: Sequence[str] = ()) -> Examples:
    """They, and what they are compared with."""
    from run import with_cuvec  # of bench

    return Examples(built / "examples", with_cuvec(built / "bench", built / "examples"), names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    parser.add_argument("built", type=Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    examples = installed(arguments.built, arguments.names)
    if status := end(count for row in examples.runs().values() for count in row):
        return status
    examples.figures(arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
