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


def examples() -> dict[str, str]:
    """The code of each, by its function."""
    found = {}
    for path in sorted((ROOT / "runtime/rust/src").glob("*.rs")):
        lines = re.findall(r"^ *//[/!] ?(.*)$", path.read_text(), re.MULTILINE)
        for language, code in re.findall(r"^```(.*?)\n(.*?)^```$", "\n".join(lines), re.MULTILINE | re.DOTALL):
            assert language == "no_run", f"{path}: an example that is not tested, `{language}`"
            shown = re.sub(r"^( *)#(?: |$)", r"\1", code, flags=re.MULTILINE)  # rustdoc hides such lines
            name = re.search(r"fn (\w+)", shown)[1]
            found[f"{path.stem}_{name}"] = shown.replace("fn main()", "pub fn main()")
    return found


EXAMPLES = examples()


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
