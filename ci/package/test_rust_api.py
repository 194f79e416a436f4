"""The crate `cuvec` for `src/`: the examples of its documentation, which `runtime/check cargo` compiles, run in a package, cudarc's among them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment
from generator import scaffold
from shell import ROOT, run

MODULE = """//! The examples, each in a module.

{modules}
/// Runs them.
#[pyo3::pymodule]
mod ext {{
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {{
        cuvec::load(module)
    }}

{functions}}}
"""
FUNCTION = "    #[pyfunction]\n    fn {name}() -> PyResult<()> {{\n        super::{name}::main()\n    }}\n\n"


HIDDEN = re.compile(r"^( *)#(?: |$)", re.MULTILINE)  # a line that rustdoc does not show


def blocks() -> list[tuple[Path, str]]:
    """The examples, each with its file."""
    found = []
    for path in sorted((ROOT / "runtime/rust/src").glob("*.rs")):
        lines = "\n".join(re.findall(r"^ *//[/!] ?(.*)$", path.read_text(), re.MULTILINE))
        for language, code in re.findall(r"^```(.*?)\n(.*?)^```$", lines, re.MULTILINE | re.DOTALL):
            assert language == "no_run", f"{path}: an example that is not tested, `{language}`"
            found.append((path, code))
    return found


def whole(path: Path, code: str) -> tuple[str, str]:
    """A name, by its file and its first function, and all of its lines."""
    code = HIDDEN.sub(r"\1", code).replace("fn main()", "pub fn main()")
    function = re.search(r"fn (\w+)", code)[1]
    return f"{path.stem}_{function}", code


EXAMPLES = dict(whole(*block) for block in blocks())


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Python 3.12 with a package whose `src/` is the examples."""
    package = scaffold(tmp_path_factory.mktemp("rust-api") / "mypkg", bridge="pyo3", kernels="cu")
    modules = "".join(f"mod {name} {{\n{code}}}\n\n" for name, code in EXAMPLES.items())
    functions = "".join(FUNCTION.format(name=name) for name in EXAMPLES)
    (package / "src/lib.rs").write_text(MODULE.format(modules=modules, functions=functions.rstrip("\n") + "\n"))
    cudarc = next(line for line in (ROOT / "runtime/rust/Cargo.toml").read_text().splitlines() if "cudarc" in line)
    manifest = package / "Cargo.toml"
    manifest.write_text(f"{manifest.read_text()}{cudarc}\n")
    run("cargo", "update", "--workspace", cwd=package)
    environment = Environment(package.parent / "python-3.12", "3.12")
    environment.install("numpy", f"--group={package / 'pyproject.toml'}:build")
    env = {"PATH": environment.path, "CUDA": "OFF", **DEVELOPMENT}
    environment.pip("install", "--no-build-isolation", "--no-deps", package, env=env)
    return environment


def test_pages_show_these_examples() -> None:
    shown = "\n".join(re.sub(f"{HIDDEN.pattern}.*\n", "", code, flags=re.MULTILINE) for _, code in blocks())
    for page, count in {"docs/reference/rust-api.md": 8, "runtime/README.md": 1}.items():
        code = re.findall(r"^```rust\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
        of_pyo3 = [block for block in code if "#[pyfunction]" in block]
        assert len(of_pyo3) == count
        for block in of_pyo3:
            assert block in shown


def test_all_that_is_for_users_has_an_example() -> None:
    text = "\n".join(EXAMPLES.values())
    for name in (
        "ANY",
        "Array",
        "ArrayMut",
        "CuVec",
        "Stream",
        "call",
        "device",
        "load",
        "names!",
        "run_on_gpu",
        "zeros",
    ):
        assert re.search(rf"\b{name}(?!\w)", text), name


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str, installed: Environment, tmp_path: Path) -> None:
    installed.python("-c", f"from mypkg import ext; ext.{name}()", cwd=tmp_path)
