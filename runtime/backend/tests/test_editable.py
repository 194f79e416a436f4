"""Messages of an editable install that builds on import. Nothing is built: its finder is like scikit-build-core's."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from cuvec_build.wheel import complete, hash_and_size

FINDER = """
import subprocess
import sys
import time

class Finder:
    known_wheel_files = {{"mypkg.cuvec": "__init__.py", "mypkg.cuvec._core": "_core.so"}}
    rebuild_flag = {rebuilds}

    def find_spec(self, name, path=None, target=None):
        if name == "mypkg" and self.rebuild_flag:
            self.rebuild()

    def rebuild(self):
        {build}

sys.meta_path.insert(0, Finder())
"""
RECORD = "mypkg.pth,sha256=old,1\n_finder.py,sha256=old,1\nmypkg-0.dist-info/RECORD,,\n"
LINE = "mypkg: building what changed, for this editable install\n"
FAILED = "ImportError: this editable install builds what changed, and the build failed: "
NO_CMAKE = (
    "ImportError: this editable install builds what changed, and there is no cmake on the PATH: "
)


def install(folder: Path, build: str, *, rebuilds: bool = True) -> Path:
    """As pip does, from a wheel."""
    wheel = folder / "mypkg-0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("mypkg.pth", "import _finder\n/sources\n")
        archive.writestr("_finder.py", FINDER.format(rebuilds=rebuilds, build=build))
        archive.writestr("mypkg-0.dist-info/RECORD", RECORD)
        archive.writestr("mypkg/__init__.py", "")
    complete(wheel)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.parametrize(
    ("build", "rebuilds", "said"),
    [("time.sleep(2)", True, LINE), ("pass", True, ""), ("time.sleep(2)", False, "")],
)
def test_an_import_that_builds_for_long_says_so(
    tmp_path: Path, build: str, rebuilds: bool, said: str, printed: Callable[..., str]
) -> None:
    site = install(tmp_path, build, rebuilds=rebuilds)
    code = "import _finder, mypkg, time; time.sleep(1.2)"
    assert printed("-c", code, PYTHONPATH=str(site)) == said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ('subprocess.CalledProcessError(1, ["cmake", "--build", "."])', FAILED),
        ('FileNotFoundError(2, "none", "cmake")', NO_CMAKE),
        ('FileNotFoundError(2, "none", "other")', "FileNotFoundError: "),
        ('OSError("no space")', "OSError: no space"),
    ],
)
def test_an_import_says_why_it_was_not_built(
    tmp_path: Path, error: str, said: str, printed: Callable[..., str]
) -> None:
    site = install(tmp_path, f"raise {error}")
    shown = printed("-c", "import _finder, mypkg", ok=False, PYTHONPATH=str(site))
    assert shown.splitlines()[-1].startswith(said)
    assert ("another exception occurred" in shown) is False


def test_a_reload_says_that_compiled_functions_stay(
    tmp_path: Path, printed: Callable[..., str]
) -> None:
    """Once, and not where another package is reloaded."""
    site = install(tmp_path, "pass")
    code = "import importlib, json, _finder, mypkg; importlib.reload(json); print(1)"
    assert printed("-c", code, PYTHONPATH=str(site)) == "1\n"
    code = "import importlib, _finder, mypkg; importlib.reload(mypkg); importlib.reload(mypkg)"
    said = printed("-c", code, PYTHONPATH=str(site))
    assert (
        said
        == "mypkg: importlib.reload keeps compiled functions; restart Python to use edited ones\n"
    )


def test_the_record_has_the_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`build/types` is where a build has linked the Python files."""
    (tmp_path / "build/types").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    site = install(tmp_path, "pass")
    assert (site / "mypkg.pth").read_text() == f"import _finder\n{tmp_path}/build/types\n"
    for line in (site / "mypkg-0.dist-info/RECORD").read_text().splitlines()[:2]:
        name, *recorded = line.split(",")
        assert recorded == [*hash_and_size((site / name).read_bytes())]
