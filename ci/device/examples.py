"""The programs in examples/ on this GPU: their tests, their commands in full size, and their figures.

examples.py BUILT [OUTPUT]: figures and pictures go to OUTPUT, or to the examples. Ends with a failure if anything failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from environment import make
from suite import Count, run_programs, run_suite

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(record.parent for record in ROOT.glob("examples/*/.cuvec-new.toml"))
FULL = "1024"  # pixels, numbers or cells a side


class Examples:
    """A folder with the wheels of all of them, and of what their tests need and a machine may lack."""

    def __init__(self, folder: Path, python: Path | None = None) -> None:
        """They go into the environment of `python`, or into a new one."""
        self.folder = folder
        self.python = python or make(folder / "venv")
        pip = [self.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall"]
        subprocess.run([*pip, *sorted(folder.glob("*.whl"))], check=True)

    def runs(self) -> dict[str, list[Count]]:
        """Of each: its tests, and its command."""
        return {example.name: [*self._runs(example)] for example in EXAMPLES}

    def _runs(self, example: Path) -> Iterator[Count]:
        yield run_suite(f"tests of {example.name}", [self.python], [example / "tests"], self.folder)
        picture = self.folder / f"{example.name}.png"
        command = [self.python, "-m", example.name, "--size", FULL, "--device", "cuda", "--output", picture]
        yield run_programs("in full size", [command])

    def figures(self, output: Path | None) -> None:
        """Measures each beside what people use today."""
        paths = [str(ROOT / "ci/bench"), str(ROOT / "ci/device")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        for example in EXAMPLES:
            command = [self.python, ROOT / "ci/figures", example.name, "--device", "cuda"]
            if output:
                folder = output / "examples" / example.name
                folder.mkdir(parents=True, exist_ok=True)
                command += ["--output", folder]
                (folder / "picture.png").write_bytes((self.folder / f"{example.name}.png").read_bytes())
            subprocess.run(command, check=True, env=environment)


def rows(counts: dict[str, list[Count]]) -> list[list[str]]:
    """A table of what passed."""
    named = [[f"[{name}](../examples/{name}/README.md)", *map(str, row)] for name, row in counts.items()]
    return [["example", "tests", f"command with `--size {FULL}`"], *named]


def main(built: Path, output: Path | None = None) -> int:
    from run import with_cuvec  # of ci/bench

    examples = Examples(built / "examples", with_cuvec(built / "bench", built / "examples"))
    every = [count for row in examples.runs().values() for count in row]
    passed, failed, skipped = (sum(count[i] for count in every) for i in (1, 2, 3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    if failed or skipped:
        return 1
    examples.figures(output)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
