"""Each block of shell commands on a page of the documentation is typed here, or by another test, or is said not to be."""

import os
import re
from pathlib import Path

import pytest
from environment import interpreter
from generator import EXECUTABLE
from shell import ROOT, run

pytestmark = pytest.mark.night

DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# The first line of a block, and the test that types it, or what is equal to it.
ELSEWHERE = {
    "cuvec-new adopt lib/*.cu --include lib/include --dry-run    # what would be written": "test_adopt::test_it_builds_as_it_was_written",
    "pip install .": "test_cli_wheel::test_it_makes_the_same_package_in_a_fresh_environment",
    "cuvec-new export templates": "test_export::test_cargo_generate_makes_the_same_package",
    "pip install . --group docs": "test_documentation::test_the_site_is_the_readme_and_a_page_of_functions",
    "python3 -m venv .venv && source .venv/bin/activate": "test_readme::test_a_kernel_can_be_added",
    "pip install --group bench  # pip 25.1 or later": "test_benchmarks::test_plot_with_matplotlib",
    "cargo add --manifest-path kernels/Cargo.toml half --no-default-features": "test_ptx::test_crates_are_compiled_for_the_gpu",
    "python build/cuvec_runtime/cuvec/doctor WHEEL": "test_doctor::test_the_wheel_is_good",
    "pip install -r tests/conformance/requirements.txt cmake ninja": "test_wheel::test_conformance_of_an_installed_package",
    "cuvec-new doctor wheelhouse/mypkg-0.1.0-cp311-abi3-manylinux_2_28_x86_64.whl": "test_doctor::test_the_wheel_is_good",
}

# Commands that no test types, and why.
NOT_RUN = {
    "rustup component add rust-src": "changes the Rust of who runs the tests",
    "conda create --name gpu python=3.13 cxx-compiler": "there is no conda",
    "compute-sanitizer python program.py": "needs a GPU; ci/gpu runs it on the tests",
    "pip install . -C cmake.define.DEBUG_KERNELS=full -C install.strip=false": "its debugger needs a GPU",
    "python -m mypkg.check --profile -k axpy": "needs a GPU and NVIDIA's profiler",
    "nsys profile --trace=cuda,nvtx python program.py": "needs a GPU and NVIDIA's profiler",
    "cargo install --locked --path .": "takes minutes, and all other tests run what cargo builds",
    "pip install --upgrade 'pip>=25.1'": "cibuildwheel needs Docker",
}


def blocks() -> list[tuple[str, str]]:
    """Pages, and the commands of each block."""
    pages = sorted(DOCS.rglob("*.md"))
    return [(str(page.relative_to(DOCS)), block) for page in pages for block in BLOCK.findall(page.read_text())]


def first_line(block: str) -> str:
    return block.partition("\n")[0]


HERE = {page: block for page, block in blocks() if first_line(block) not in {*ELSEWHERE, *NOT_RUN}}


def test_what_is_listed_is_there() -> None:
    shown = {first_line(block) for _, block in blocks()}
    assert {*ELSEWHERE, *NOT_RUN} - shown == set()
    assert {*ELSEWHERE} & {*NOT_RUN} == set()
    for file, _, test in (name.partition("::") for name in ELSEWHERE.values()):
        assert f"def {test}(" in (ROOT / f"ci/package/{file}.py").read_text()


@pytest.fixture(scope="module")
def typed(folder: Path):
    """Types a page's commands into a shell, in a folder where the package is."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "cuvec-new").symlink_to(EXECUTABLE)
    (programs / "python3").symlink_to(interpreter("3.12"))
    path = os.pathsep.join((str(programs), os.environ["PATH"]))

    def typed(page: str, where: str = "mypkg", before: str = "", **more: str) -> str:
        script = before + HERE.pop(page)
        env = {"PATH": path, "CUDA": "OFF", **more}
        return run("bash", "-euo", "pipefail", "-c", script, cwd=folder / where, env=env)

    return typed


ACTIVATE = ". .venv/bin/activate\n"


def test_they_are_typed_in_the_order_of_the_pages(typed, folder: Path) -> None:
    """In one package, whose first build is the one that takes long."""
    run(EXECUTABLE, "mypkg", "--no-git", "--quiet", cwd=folder)
    assert "cpu x86_64" in typed("tutorials/first-package.md", where=".")
    assert " passed" in typed("tutorials/first-kernel.md", before=ACTIVATE)
    assert "Successfully installed mypkg" in typed("reference/environment.md", before=ACTIVATE)
    assert "Successfully installed mypkg" in typed("how-to/debug.md", before=ACTIVATE)
    typed("how-to/clusters.md", before=ACTIVATE)
    assert len([*(folder / "mypkg/wheelhouse").glob("mypkg-*.whl")]) == 1
    completions = folder / "home/.local/share/bash-completion/completions"
    completions.mkdir(parents=True)
    typed("install.md", HOME=str(folder / "home"))
    assert "complete -F" in (completions / "cuvec-new").read_text()
    said = typed("explanation/runtime.md", where=".", before=". mypkg/.venv/bin/activate\n")
    assert re.search(r"Successfully installed .*slim-0\.1\.0", said)
    assert not HERE, "a page has a block that nothing types"
