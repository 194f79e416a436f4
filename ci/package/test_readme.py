"""Instructions in README.md, for users of a package, and in the documentation, for its owner, work when followed to the letter."""

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import Developer
from environment import ARCHITECTURE, Environment
from files import replace
from framework_types import write_types
from generator import EXECUTABLE, KERNELS
from recipe import follow, session
from shell import run


def test_session(package: Path, on_311: Environment, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(session((package / "README.md").read_text()))
    shown = on_311.python("-m", "doctest", "-v", readme, cwd=tmp_path, env={"CUVEC_DEVICE": "cpu"})
    assert int(re.search(r"(\d+) passed", shown)[1]) >= 10


def pyright(venv: Path, folder: Path, *, fails: bool = False) -> str:
    """Messages of pyright about the code in `folder`. The settings name the environment: if pyright asked Python for the modules,
    it would also judge Python's own where it has no stubs."""
    settings = {
        "venvPath": str(venv.parent),
        "venv": venv.name,
        "pythonVersion": "3.11",
        "reportMissingModuleSource": False,  # `_core` has none in Python
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    shown = run("pyright", "--warnings", cwd=folder, ok=not fails)
    assert fails or "0 errors, 0 warnings" in shown
    return shown


@pytest.mark.night
def test_pyright(on_311: Environment, tmp_path: Path) -> None:
    installed = on_311.bin.parent / "lib/python3.11/site-packages/mypkg"
    shutil.copytree(installed, tmp_path / "mypkg")  # where it is, pyright takes it for a library
    write_types(tmp_path, "torch", "jax")
    pyright(on_311.bin.parent, tmp_path)


@pytest.mark.usefixtures("one_language")
def test_pyright_of_a_program_that_uses_the_package(on_311: Environment, tmp_path: Path) -> None:
    """pyright accepts only the names that a library exports."""
    program = (
        "from mypkg import axpy, cuvec, dot\n\naxpy(2, cuvec.ones(3), cuvec.ones(3))\nprint(dot, reveal_type(axpy))\n"
    )
    (tmp_path / "program.py").write_text(program)
    assert 'Type of "axpy" is "(a: ' in pyright(on_311.bin.parent, tmp_path)


@pytest.mark.usefixtures("one_language")
@pytest.mark.parametrize("module", ["", ".torch", ".jax"])
def test_a_name_that_is_misspelt_is_an_error_of_types(module: str, on_311: Environment, tmp_path: Path) -> None:
    """Each of these modules has a `__getattr__`, which could give any name a type."""
    (tmp_path / "program.py").write_text(f"import mypkg{module}\n\nprint(mypkg{module}.axpy, mypkg{module}.axpyy)\n")
    write_types(tmp_path, "torch", "jax")
    shown = pyright(on_311.bin.parent, tmp_path, fails=True)
    assert '"axpyy" is not a known attribute of module' in shown
    assert "1 error, 0 warnings" in shown


@pytest.mark.usefixtures("one_language")
def test_types_are_complete(on_311: Environment, tmp_path: Path) -> None:
    """As pyright counts those that a library exports, whoever reads it."""
    shown = run("pyright", "--ignoreexternal", "--verifytypes", "mypkg", cwd=tmp_path, env={"PATH": on_311.path})
    assert "Type completeness score: 100%" in shown


def libraries(developer: Developer) -> dict[str, int]:
    """When those that an editable install loads were written, by their names."""
    found = developer.package.glob("build/*/install/*/mypkg/**/*.so")
    return {path.name.partition(".")[0]: path.stat().st_mtime_ns for path in found}


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
        build = f"{developer.activate} && CUDAARCHS={asked} cmake --build '{cache.parent}' --target cuvec_architectures"
        shown = developer.types(f"{build} 2>&1 && exit 1 || true")  # as on import
        assert f"compiles them for {asked}: try again" in " ".join(shown.split())
        developer.types(build)
        assert f"CMAKE_CUDA_ARCHITECTURES:STRING={asked}\n" in cache.read_text()


def test_an_edited_kernel_is_rebuilt_on_import(developer: Developer, show: Callable[[str], None]) -> None:
    """It and `_functions`; the core is as it was."""
    (source,) = (developer.package / "kernels").glob("axpy.*")
    before = libraries(developer)
    replace(source, "Add `a * x` to `y`", "Add, as edited, `a * x` to `y`")
    time.sleep(1)  # `cmake --install` takes a library for unchanged if it is less than a second younger
    start = time.monotonic()
    said = developer.python("import mypkg")
    seconds = time.monotonic() - start
    show(f"rebuild on import after an edit of {source.name}: {seconds:.1f} s")
    assert said == "mypkg: building what changed, for this editable install\n" or seconds < 2
    after = libraries(developer)
    assert {name for name in before if before[name] != after[name]} == {"_functions"}
    assert "Add, as edited," in developer.python("import mypkg; print(mypkg.axpy.__doc__)")


def test_type_checkers_follow_an_editable_install(developer: Developer, tmp_path: Path) -> None:
    """Which is imported from several folders."""
    assert "Success: no issues found" in developer.types(f"{developer.activate} && mypy")
    program = "import mypkg.torch\n\nreveal_type(mypkg.axpy)\nprint(mypkg.torch.axpy, mypkg.torch.axpyy)\n"
    (tmp_path / "program.py").write_text(program)
    write_types(tmp_path, "torch")
    shown = pyright(developer.package / ".venv", tmp_path, fails=True)
    assert 'Type of "mypkg.axpy" is "(a: ' in shown
    assert '"axpyy" is not a known attribute of module' in shown
    assert "1 error, 0 warnings" in shown


def test_a_kernel_can_be_added(developer: Developer) -> None:
    follow(developer.package)
    developer.types(f"{developer.activate} && python -m pytest tests/test_soft_threshold.py")


@pytest.mark.night
def test_a_kernel_in_the_other_language_can_be_added(developer: Developer, kernels: str) -> None:
    (other,) = set(KERNELS) - {kernels}
    shown = run(EXECUTABLE, "add", "--package", developer.package, "gemv", "(m,n),(n)->(m)", "--kernels", other)
    if other == "cu":
        (compiler,) = set(re.findall(r'"(cuda-toolkit[^"]*)"', shown))
        developer.types(f"{developer.activate} && uv pip install --quiet '{compiler}'")
    developer.types(f"{developer.activate} && python -m pytest tests/test_gemv.py tests/test_axpy.py")


def test_a_kernel_that_was_added_is_as_tidy_as_the_rest(copy: Path) -> None:
    followed = follow(copy)
    assert {path.parts[0] for path in followed} == {"kernels", "tests"}
    run("ruff", "check", "--no-cache", copy)
    run("ruff", "format", "--check", "--no-cache", copy)
    if sources := [copy / path for path in followed if path.suffix == ".cu"]:
        run("clang-format", "--dry-run", "-Werror", *sources)
    if rust := sorted((copy / "kernels").glob("*.rs")):
        run("rustfmt", "--edition", "2024", "--check", *rust)
