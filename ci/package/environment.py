"""A virtual environment of a given version of Python."""

import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from shell import ROOT, run

# The compiler of kernels in Rust, in place of rustup's: Debian's, which ci/tools.sh installs with the sources of its library.
COMPILER = os.environ.get("KERNELS_RUSTC", "/usr/bin/rustc")
ASSEMBLER = "nvidia-cuda-nvcc==13.*"  # it must accept new PTX before that replaces the old
SUGGESTED = "rustup component add rust-src"  # to a user without a compiler
OWNERS = ("tests", "src")  # where the owner's tests are
ARCHITECTURE = "75"  # of CUDA: for one of them kernels compile faster than for all

# The fastest build, for tests to which the architecture does not matter. All builds share one core.
DEVELOPMENT = {"CUDAARCHS": ARCHITECTURE, "KERNELS_RUSTC": COMPILER}

# Variables of CMake, as scikit-build-core sets them.
WHEEL = {"SKBUILD_STATE": "wheel", "SKBUILD_PROJECT_NAME": "mypkg"}


@cache
def interpreter(version: str) -> Path:
    """Path of a Python of that version, such as "3.13"."""
    return Path(run(ROOT / "ci/python", version).strip())


def groups(package: Path, *names: str) -> list[str]:
    """Arguments of pip for requirements of a package, such as those to "build" it."""
    return [f"--group={package / 'pyproject.toml'}:{name}" for name in names]


def copy_of_cache(folder: Path, *parts: str) -> Path:
    """A cache of a test's own, with what all tests have compiled of these parts, such as "core"."""
    cache = Path(os.environ["CUVEC_CACHE"])
    for compiled in (path for part in parts for path in cache.glob(f"{part}-*")):
        shutil.copytree(compiled, folder / compiled.name)
    return folder


def copy_of_conformance_tests(folder: Path, *functions: str) -> Path:
    """The runtime and its conformance tests as they stand in this repository; of the functions in CUDA C++ only these."""
    for part in ("runtime", "tests/conformance"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("target", "__pycache__"))
    for file in (folder / "tests/conformance/kernels/cu").glob("*.cu"):
        if file.stem not in functions:
            file.unlink()
    return folder


class Environment:
    """A fresh environment in `folder`, with a pip that knows dependency groups, and nothing else but these requirements."""

    def __init__(self, folder: Path, version: str, *requirements: str | Path) -> None:
        self.bin = folder / "bin"
        run("uv", "venv", "--quiet", "--seed", "--python", interpreter(version), folder)
        if requirements:
            self.install(*requirements)

    @property
    def path(self) -> str:
        """PATH while it is active."""
        return f"{self.bin}{os.pathsep}{os.environ['PATH']}"

    @property
    def active(self) -> dict[str, str]:
        """Variables of a shell in which it is active."""
        return {"PATH": self.path, "VIRTUAL_ENV": str(self.bin.parent)}

    def python(self, *arguments: str | Path, **options) -> str:
        return run(self.bin / "python", *arguments, **options)

    def pip(self, *arguments: str | Path, **options) -> str:
        return self.python("-m", "pip", *arguments, **options)

    def install(self, *requirements: str | Path) -> None:
        """Installs what is not under test, and is the same for every package: uv keeps it."""
        run("uv", "pip", "install", "--quiet", "--link-mode=hardlink", "--python", self.bin / "python", *requirements)

    def install_package(self, package: Path, *flags: str, ok: bool = True, **env: str) -> str:
        """Builds and installs a package, for one GPU, with what is installed here; returns what pip said."""
        env = {"PATH": self.path, **DEVELOPMENT, **env}
        return self.pip("install", "--no-build-isolation", "--no-deps", *flags, package, env=env, ok=ok)

    def cmake(self, source: Path, build: Path, ok: bool = True, env: Mapping[str, str] = {}, **settings: str) -> str:
        """Configures a build, for Ninja, with the tools that are installed here; the settings are variables of CMake."""
        given = [f"-D{name}={value}" for name, value in settings.items()]
        env = {**self.active, "CMAKE_GENERATOR": "Ninja", **env}
        return run("cmake", "-S", source, "-B", build, *given, env=env, ok=ok)

    def wheel(self, source: Path, folder: Path, *flags: str, **options) -> Path:
        """Builds `source` (a tree or an sdist), with isolation by default; the one wheel is left in the new `folder`."""
        self.pip("wheel", "--no-deps", "--wheel-dir", folder, *flags, source, **options)
        (wheel,) = folder.iterdir()
        return wheel

    def build(self, what: str, source: Path, folder: Path, settings: Mapping[str, str] = {}, **options) -> Path:
        """Builds a "wheel" or "sdist", without isolation, as releases do: not by pip."""
        given = [f"-C{name}={value}" for name, value in settings.items()]
        self.python("-m", "build", f"--{what}", "--no-isolation", "--outdir", folder, *given, source, **options)
        (built,) = folder.iterdir()
        return built

    def pytest(
        self, package: Path, *options: str, tests: Sequence[str | Path] = OWNERS, config: Path | None = None, **env: str
    ) -> dict[str, int]:
        """Runs tests of a package away from its sources; returns counts such as {"passed": 812, "skipped": 9}."""
        command = ("-m", "pytest", "-p", "no:cacheprovider", "-c", config or package / "pyproject.toml", *options)
        env = {"PYTHONDONTWRITEBYTECODE": "1", **env}  # nothing is added to the package
        return counts(self.python(*command, *(package / it for it in tests), cwd=self.bin.parent, env=env))


def counts(output: str) -> dict[str, int]:
    """The numbers in the closing line of pytest, of those tests that were to run."""
    closing = [line for line in output.splitlines() if " in " in line and line.startswith("=")][-1]
    words = closing.strip("= ").split(" in ")[0].split(", ")
    found = {kind: int(number) for number, kind in (word.split(" ") for word in words)}
    found.pop("deselected", None)
    return found


def passed_by_file(report: Path) -> Counter[str]:
    """How many tests of each file have passed, as pytest's `--junit-xml` says."""
    cases = [case for case in ElementTree.parse(report).iter("testcase") if case.find("skipped") is None]
    return Counter(case.attrib["classname"].rpartition(".")[2] for case in cases)
