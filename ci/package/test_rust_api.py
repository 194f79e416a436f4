"""The crate `cuvec` for `src/`: the examples of its documentation, which `runtime/check cargo` compiles, run in a package, cudarc's among them."""

import re
from pathlib import Path

import pytest
from environment import DEVELOPMENT, Environment, groups
from generator import scaffold, unpack
from rust_examples import EXAMPLES, add_to, shown
from shell import ROOT, run

pytestmark = pytest.mark.night

NAMES = [
    "ANY",
    "Array",
    "ArrayMut",
    "CuVec",
    "Stream",
    "call",
    "compose",
    "device",
    "load",
    "names!",
    "run_on_gpu",
    "zeros",
]
PAGES = {"docs/reference/rust-api.md": 10, "runtime/README.md": 1}  # and how many they show


def test_the_examples_run(tmp_path: Path) -> None:
    package = scaffold(tmp_path / "mypkg", bridge="pyo3", kernels="cu")
    unpack(package)
    add_to(package)
    environment = Environment(tmp_path / "python-3.12", "3.12", *groups(package, "build", "test"), "numpy")
    run("cargo", "clippy", "--locked", "--", "-D", "warnings", cwd=package, env={**environment.active, **DEVELOPMENT})
    environment.install_package(package, CUDA="OFF")
    assert environment.pytest(package, tests=["src/test_examples.py"]) == {"passed": len(EXAMPLES)}


def test_they_are_formatted(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.rs" for number, _ in enumerate(shown())]
    for file, code in zip(files, shown(), strict=True):
        file.write_text(code)
    run("rustfmt", "--check", "--edition", "2024", *files)


def test_what_is_for_users_has_an_example() -> None:
    text = "\n".join(EXAMPLES.values())
    assert [name for name in NAMES if not re.search(rf"\b{name}(?!\w)", text)] == []


def test_pages_show_these_examples() -> None:
    for page, count in PAGES.items():
        code = re.findall(r"^```rust\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
        of_pyo3 = [block for block in code if "#[pyfunction]" in block]
        assert len(of_pyo3) == count
        assert [block for block in of_pyo3 if block not in "\n".join(shown())] == []
