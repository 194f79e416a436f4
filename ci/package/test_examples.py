"""The programs in examples/: a folder there is built, tested, and does what its README says."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import pytest
from environment import DEVELOPMENT, Environment, groups
from generator import EXECUTABLE
from recipe import commands, session
from shell import ROOT, run

sys.path += [str(ROOT / name) for name in ("bench", "bench/figures", "bench/kernels")]

import tables
from gallery import EXAMPLES, is_package, needed

GALLERY = ROOT / "examples/README.md"
PICTURE = 150_000  # bytes at most
SKIPPED = {"ports": 8}  # two tests of each of four programs that need a GPU


class Example:
    """A copy of it."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.folder = folder / source.name
        shutil.copytree(source, self.folder, ignore=shutil.ignore_patterns("runtime", "build"))
        if is_package(source):
            self.planned = run(EXECUTABLE, "update", self.folder, "--dry-run")
            run(EXECUTABLE, "update", self.folder)

    @cached_property
    def environment(self) -> Environment:
        """Python 3.11 with what it is built, tested and checked with."""
        return Environment(
            self.folder.parent / f"{self.folder.name}-venv", "3.11", *groups(self.folder, "build", "test", "lint")
        )

    @cached_property
    def wheel(self) -> Path:
        """Built for one GPU and the CPU."""
        folder = self.folder.parent / f"{self.folder.name}-wheel"
        env = {"PATH": self.environment.path, **DEVELOPMENT}
        return self.environment.wheel(self.folder, folder, "--no-build-isolation", env=env)


@pytest.fixture(scope="module")
def copies(folder: Path) -> dict[Path, Example]:
    return {source: Example(folder, source) for source in EXAMPLES}


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda source: source.name)
def source(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture(scope="module")
def example(source: Path, copies: dict[Path, Example]) -> Path:
    """A copy of it, with its runtime if it is a package."""
    return copies[source].folder


@pytest.fixture(scope="module")
def installed(source: Path, copies: dict[Path, Example]) -> Environment:
    """Python 3.11 with it, what it is built on, and what its tests need."""
    environment = copies[source].environment
    environment.install(*(copies[one].wheel for one in needed(source)))
    return environment


@pytest.mark.parametrize("source", [one for one in EXAMPLES if is_package(one)], ids=lambda source: source.name)
def test_its_half_is_up_to_date(source: Path, copies: dict[Path, Example]) -> None:
    added = r".*\n(changed:\n  \.cuvec-new\.lock\n)?added:\n  runtime/ \(2 files\)\nnothing was written\n"  # the lock has the archive's hash
    assert re.fullmatch(added, copies[source].planned), "ci/examples updates it"


@pytest.mark.night
def test_its_tests_pass(example: Path, installed: Environment) -> None:
    counts = installed.pytest(example, tests=["tests"])
    assert counts.pop("skipped", 0) == SKIPPED.get(example.name, 0)
    assert set(counts) == {"passed"}
    assert counts["passed"] > 10


@pytest.mark.night
def test_its_ptx_matches_its_kernels(example: Path, installed: Environment) -> None:
    """Or the build has made it anew."""
    assert installed
    for image in example.glob("kernels/*.ptx"):
        assert image.read_bytes() == (ROOT / "examples" / example.name / "kernels" / image.name).read_bytes()


@pytest.mark.night
def test_its_pages_tell_the_truth(example: Path, installed: Environment, tmp_path: Path) -> None:
    for page in example.glob("*.md"):
        (tmp_path / page.name).write_text(session(page.read_text()))
        assert ">>> " in page.read_text()
        installed.python("-m", "doctest", "-o", "ELLIPSIS", tmp_path / page.name, env={"CUVEC_DEVICE": "cpu"})
    readme = (example / "README.md").read_text()
    restored, installs, runs = commands(readme).splitlines()[:3]
    assert restored.split()[:2] == ["../../ci/examples", needed(example)[0].name]
    assert installs.split()[:2] == ["pip", "install"]
    assert runs.split()[:3] == ["python", "-m", example.name]
    assert "picture.png" in readme


@pytest.mark.night
def test_its_command_draws_a_picture(example: Path, installed: Environment) -> None:
    picture = example.parent / "small.png"
    shown = installed.python("-m", example.name, "--size", "48", "--device", "cpu", "--output", picture)
    assert "device: cpu" in shown
    assert picture.stat().st_size > 1000


@pytest.mark.night
def test_it_can_be_measured(example: Path, installed: Environment) -> None:
    figures = (example.name, "--size", "33", "--seconds", "0.01", "--output", example.parent)
    run(ROOT / "bench/examples", *figures, env={"PYTHON": str(installed.bin / "python")})
    assert json.loads((example.parent / "cpu.json").read_text())["figures"]


def test_the_tables_of_its_readme_match_its_files(source: Path) -> None:
    assert tables.readme(source) == (source / "README.md").read_text()


@pytest.mark.night
def test_a_library_that_was_brought_builds_by_itself(copies: dict[Path, Example], tmp_path: Path) -> None:
    """It knows nothing of the package: nothing in it was edited."""
    example = copies[ROOT / "examples/library"]
    library = example.folder / "extern/fbp"
    assert not any("cuvec" in file.read_text() for file in library.iterdir())
    env = {"PATH": example.environment.path}
    run("cmake", "-S", library, "-B", tmp_path, "-D", "FBP_CUDA=OFF", env=env)
    run("cmake", "--build", tmp_path, env=env)


@pytest.mark.night
def test_a_head_on_hosts_that_lose_a_link(copies: dict[Path, Example], tmp_path: Path) -> None:
    """Hosts are network namespaces, which not every machine lets one make."""
    if not shutil.which("ip"):
        pytest.skip("there is no `ip`, which is in Debian's iproute2")
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("network namespaces cannot be made here")
    example = copies[ROOT / "examples/cluster"]
    environment = example.environment
    environment.install(*(copies[one].wheel for one in needed(ROOT / "examples/cluster")))
    figures = tmp_path / "hosts.json"
    options = ("--size", "32", "--slices", "12", "--output", figures)
    environment.python(example.folder / "benchmarks/hosts.py", *options, cwd=tmp_path)
    told = json.loads(figures.read_text())
    assert len(told["lost"]) == 3
    assert told["bytes to the client for a slice"] > 2 * 4 * 32 * 32  # the image, and that which was there


def test_the_estimate_follows_from_the_figures() -> None:
    folder = ROOT / "examples/cluster"
    page = (folder / "SCALING.md").read_text()
    sys.path.insert(0, str(folder / "benchmarks"))
    import estimate

    assert estimate.page(page) == page, "benchmarks/estimate.py writes it"
    rate, _, commit = estimate.measured_on_a_gpu()
    assert f"did {rate:.1f} slices a second\nat {commit} (" in page
    assert f"1 / {rate:.1f} / slice_time" in page


@pytest.mark.night
def test_types(mypy: Callable[[Path, Environment], str], example: Path, installed: Environment) -> None:
    mypy(example, installed)


def test_its_picture_is_in_the_gallery(example: Path) -> None:
    assert f"({example.name}/README.md)" in GALLERY.read_text()
    assert f"({example.name}/picture.png)" in GALLERY.read_text()
    assert 1000 < (example / "picture.png").stat().st_size < PICTURE
