"""What README.md of a package tells its reader to do works when done to the letter."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import ARCHITECTURE, Developer
from environment import Environment
from recipe import follow, session
from shell import run


def test_session(package: Path, on_311: Environment, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(session((package / "README.md").read_text()))
    shown = on_311.python("-m", "doctest", "-v", readme, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})
    assert int(re.search(r"(\d+) passed", shown)[1]) >= 10


def test_benchmark_draws_its_plot(package: Path, on_313: Environment, tmp_path: Path) -> None:
    on_313.install("--group", f"{package / 'pyproject.toml'}:bench")
    command = re.search(r"^python (benchmarks/\S+)$", (package / "README.md").read_text(), re.MULTILINE)[1]
    on_313.python(package / command, "--max-mib=1", "--seconds=0.001", "--plot=speed.png", cwd=tmp_path)
    assert (tmp_path / "speed.png").read_bytes().startswith(b"\x89PNG")


def timed_rebuild(developer: Developer, show: Callable[[str], None], what: str) -> Path:
    """Imports the package, which rebuilds it; returns the library that it loads."""
    time.sleep(1)  # `cmake --install` takes a library for unchanged if it is less than a second younger
    start = time.monotonic()
    developer.python("import mypkg.cuvec._core")
    show(f"rebuild on import after an edit of {what}: {time.monotonic() - start:.1f} s")
    return library(developer)


def library(developer: Developer) -> Path:
    """The one that an editable install loads."""
    (found,) = developer.package.glob("build/*/install/*/mypkg/cuvec/*.so")
    return found


def test_what_did_not_change_is_not_compiled_again(developer: Developer) -> None:
    developer.python("import mypkg")
    built = {
        path: path.stat().st_mtime_ns
        for path in developer.package.glob("build/**/*")
        if path.suffix in {".o", ".a", ".rlib", ".ptx"}
    }
    assert built
    (developer.package / "tests/notes.txt").write_text("nothing to compile")
    developer.python("import mypkg")
    assert {path: path.stat().st_mtime_ns for path in built} == built


def test_kernels_are_compiled_for_the_gpu_that_is_asked_for(developer: Developer) -> None:
    if not list((developer.package / "kernels").glob("*.cu")):
        pytest.skip("nvcc compiles nothing")
    caches = [path.read_text() for path in developer.package.glob("build/**/CMakeCache.txt")]
    assert any(f"CMAKE_CUDA_ARCHITECTURES:STRING={ARCHITECTURE}\n" in cache for cache in caches)
    (cache,) = developer.package.glob("build/*/CMakeCache.txt")
    for asked in ("89", ARCHITECTURE):  # at last what it was
        build = f"{developer.activate} && CUDAARCHS={asked} cmake --build '{cache.parent}' --target architectures"
        shown = developer.types(f"{build} 2>&1 && exit 1 || true")  # as on import
        assert f"compiles them for {asked}: try again" in " ".join(shown.split())
        developer.types(build)
        assert f"CMAKE_CUDA_ARCHITECTURES:STRING={asked}\n" in cache.read_text()


def test_an_edited_kernel_is_rebuilt_on_import(developer: Developer, show: Callable[[str], None]) -> None:
    (source,) = (developer.package / "kernels").glob("axpy.*")
    source.write_text(source.read_text().replace("Add `a * x` to `y`", "Add, as edited, `a * x` to `y`"))
    timed_rebuild(developer, show, source.name)
    assert "Add, as edited," in developer.python("import mypkg; print(mypkg.axpy.__doc__)")


def test_edited_host_code_is_rebuilt_on_import(developer: Developer, show: Callable[[str], None]) -> None:
    """A message of the host code changes with its source."""
    native = developer.package / "runtime/native/host/src"
    (source,) = [*native.glob("check.rs"), *native.glob("ops/checks.cpp")]
    source.write_text(source.read_text().replace("is not C-contiguous", "is edited, and not C-contiguous"))
    timed_rebuild(developer, show, source.name)
    call = "import mypkg, numpy as n; a = n.ones((4, 4)); mypkg.dot(a.T, a.T)"
    shown = developer.python(f"try:\n  {call}\nexcept ValueError as error:\n  print(error)")
    assert "is edited, and not C-contiguous" in shown
    # With the profile that compiles fastest.
    profiles = {path.parent.name for path in developer.package.glob("build/*/cargo/*/deps")}
    assert profiles == ({"editable"} if (developer.package / "runtime/native/Cargo.toml").exists() else set())


def test_a_kernel_can_be_added(extended: Developer) -> None:
    """In all packages: test_strict.py."""
    extended.types(f"{extended.activate} && python -m pytest tests/test_scale.py")


def test_a_kernel_that_was_added_is_as_tidy_as_the_rest(copy: Path) -> None:
    followed = follow(copy)
    assert {Path(edit.path).parts[0] for edit in followed} == {"kernels", "tests"}
    run("ruff", "check", "--no-cache", copy)
    run("ruff", "format", "--check", "--no-cache", copy)
    if sources := [copy / edit.path for edit in followed if re.search(r"\.(cu|[ch]pp|h)$", edit.path)]:
        run("clang-format", "--dry-run", "-Werror", *sources)
    if rust := sorted((copy / "kernels").glob("*.rs")):
        run("rustfmt", "--edition", "2024", "--check", *rust)
