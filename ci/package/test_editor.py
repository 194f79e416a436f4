"""Kernels in an editor: rust-analyzer and clangd understand them as soon as the runtime is unpacked."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from files import replace
from generator import scaffold, unpack
from language_server import LanguageServer
from shell import run

pytestmark = pytest.mark.night


@pytest.fixture(scope="module")
def program(folder: Path) -> Path:
    """RUST_ANALYZER, rustup's, or Debian's."""
    for found in (os.environ.get("RUST_ANALYZER"), shutil.which("rust-analyzer")):
        if found and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0:
            return Path(found)
    download = ["apt-get", "download", "rust-web-analyzer"]
    if not shutil.which("apt-get") or subprocess.run(download, cwd=folder, capture_output=True, check=False).returncode:
        pytest.skip("no rust-analyzer: neither rustup's component nor Debian's rust-web-analyzer")
    (package,) = folder.glob("*.deb")
    run("dpkg-deb", "-x", package, folder)
    return folder / "usr/bin/rust-analyzer"


# With bindings in Rust the kernels are a member of the package's workspace, otherwise a workspace of their own.
@pytest.fixture(scope="module", params=["pyo3", "nanobind"])
def package(request: pytest.FixtureRequest, folder: Path) -> Path:
    package = scaffold(folder / request.param / "mypkg", bridge=request.param, kernels="rust")
    unpack(package)
    return package


@pytest.fixture(scope="module")
def server(program: Path, package: Path) -> Iterator[LanguageServer]:
    with LanguageServer(program, package, dict(os.environ)) as server:
        for name in ("axpy", "dot"):
            file = package / f"kernels/{name}.rs"
            server.open(file, file.read_text())
        server.wait(lambda: server.is_quiet, 600)
        yield server


def hover(server: LanguageServer, file: Path, marked: str, word: str) -> str:
    return server.at("hover", file, file.read_text(), marked, word)["contents"]["value"]


def test_hover_and_definition_in_a_body(server: LanguageServer, package: Path) -> None:
    file = package / "kernels/axpy.rs"
    assert "let y: &mut f64" in hover(server, file, "*y +=", "y")
    (place,) = server.at("definition", file, file.read_text(), "*y += a * x", "x")
    assert place["uri"] == file.as_uri()
    assert place["range"]["start"]["character"] == file.read_text().splitlines()[8].index("x: &T")


def test_what_the_runtime_has(server: LanguageServer, package: Path) -> None:
    file = package / "kernels/dot.rs"
    assert "pub fn plus_product(self, x: T, y: T) -> Self" in hover(server, file, "sum.plus_product", "plus_product")
    (place,) = server.at("definition", file, file.read_text(), "sum.plus_product", "plus_product")
    assert place["uri"] == (package / "build/cuvec_runtime/kernels/src/grid/sum.rs").as_uri()
    offered = server.at("completion", file, file.read_text(), "sum.plus_product", "plus_product")
    assert {"plus", "plus_product", "value"} <= {item["label"] for item in offered["items"]}


def test_errors_are_where_the_owner_made_them(package: Path) -> None:
    """Once for each place, by what the editor runs when a file is saved."""
    file = package / "kernels/axpy.rs"
    replace(file, "a * x }", "a * z }")
    try:
        shown = run("cargo", "check", "--quiet", "-p", "kernels", cwd=package / "kernels", ok=False)
    finally:
        replace(file, "a * z }", "a * x }")
    assert shown.count("cannot find value `z` in this scope") == 1
    assert f"{file}:9:" in shown or "kernels/axpy.rs:9:" in shown


def test_clangd_understands_kernels_in_cuda(tmp_path: Path) -> None:
    """By the flags in the package, after the one command that unpacks the runtime, and with no build."""
    package = scaffold(tmp_path / "mypkg", kernels="cu")
    check = ("clangd", "--check=kernels/axpy.cu")
    assert "'cuvec.h' file not found" in run(*check, cwd=package, ok=False)
    unpack(package)
    for name in ("axpy", "dot"):
        assert "All checks completed, 0 errors" in run("clangd", f"--check=kernels/{name}.cu", cwd=package)
