"""cargo works in a generated package on its own, and builds what is locked. Where there is no Rust, a build installs it with puccinialin:
here from a server with a script in the place of rustup."""

import os
import platform
import re
import shlex
import shutil
import sys
import tomllib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from environment import DEVELOPMENT, WHEEL, Environment, groups
from files import program
from generator import scaffold, unpack
from shell import ROOT, run


@pytest.fixture(scope="module")
def project(folder: Path) -> Path:
    package = scaffold(folder / "mypkg", kernels="rust")
    unpack(package)
    return package


@pytest.fixture(scope="module")
def tools(project: Path) -> Environment:
    return Environment(project.parent / "tools", "3.11", *groups(project, "build"))


@pytest.mark.night
def test_kernels_pass_clippy_and_their_crate_its_tests(project: Path, tools: Environment) -> None:
    """`ci/runtime.sh` has all crates. For clippy there is one more kernel, of many scalars."""
    more = project.parent / "kernels"
    shutil.copytree(project / "kernels", more)
    shutil.copy(ROOT / "ci/kernels/quadric.rs", more)
    active = {**tools.active, **DEVELOPMENT}
    clippy = ("clippy", "--package=kernels", "--all-targets", "--locked", "--", "-D", "warnings")
    run("cargo", *clippy, cwd=project, env={**active, "KERNELS": str(more)})
    run("cargo", "test", "--package=kernels", "--locked", cwd=project, env=active)


def test_an_installer_of_rust_that_was_changed_is_not_run(tmp_path: Path) -> None:
    """The one of wheels, in CI."""
    ran = tmp_path / "ran"
    downloads = f"""printf '#!/bin/sh\\ntouch {ran}\\n' >"$2" """
    program(tmp_path / "curl", f'while [ "$1" != -o ]; do shift; done\n{downloads}')
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert "FAILED" in run("sh", ROOT / "runtime/install-rust.sh", env={"PATH": path}, ok=False)
    assert not ran.exists()


def test_where_rustup_is_it_installs_the_same_version(tmp_path: Path) -> None:
    """On macOS and on Windows."""
    installer = ROOT / "runtime/install-rust.sh"
    for name, script in (("uname", "echo Darwin"), ("rustup", f'echo "$@" >>{tmp_path}/called')):
        program(tmp_path / name, script)
    run("sh", installer, env={"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
    (version,) = re.findall(r"^rust=(.+)$", installer.read_text(), re.MULTILINE)
    called = (tmp_path / "called").read_text().splitlines()
    assert called == [f"toolchain install {version} --profile minimal --no-self-update", f"default {version}"]
    needed = tomllib.loads((ROOT / "runtime/core/Cargo.toml").read_text())["package"]["rust-version"]
    assert tuple(map(int, version.split("."))) >= tuple(map(int, needed.split(".")))


@pytest.mark.parametrize("state", ["wheel", "editable"])
def test_builds_are_of_the_crates_that_are_locked(
    state: str, project: Path, tools: Environment, tmp_path: Path
) -> None:
    """Except in kernels/ and src/ of an editable install, whose owner may be adding one. A wheel lists no toolkit of CUDA's."""
    tools.cmake(project, tmp_path, env=DEVELOPMENT, **{**WHEEL, "SKBUILD_STATE": state, "SBOM": "ON"})
    lines = run("ninja", "-C", tmp_path, "-t", "commands", "all", env=tools.active).splitlines()
    cargo = [line for line in lines if re.search(r"\bcargo\S* build\b", line)]
    assert len(cargo) >= 2
    unlocked = [line for line in cargo if "--locked" not in line]
    assert len(unlocked) == (0 if state == "wheel" else 2)
    assert [file for file in tmp_path.glob("*.cdx.json") if "cuda-toolkit" in file.read_text()] == []
    assert len([*tmp_path.glob("*.cdx.json")]) == (1 if state == "wheel" else 0)


HOOKS = """
import shutil, subprocess
from cuvec_build import get_requires_for_build_editable, get_requires_for_build_wheel, rust
print("wheel:", "puccinialin" in get_requires_for_build_wheel())
print("editable:", "puccinialin" in get_requires_for_build_editable())
rust.use()
print("there is a cargo:", bool(shutil.which("cargo")) and subprocess.check_output(["cargo", "--version"], text=True))
"""

of_server = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="the server has a rustup for x86_64 Linux"
)


@pytest.fixture
def server(tmp_path: Path):
    """Serves a rustup-init that installs the Rust of this machine; yields its address."""
    folder = tmp_path / "server/dist/x86_64-unknown-linux-gnu"
    folder.mkdir(parents=True)
    rust = Path(run("rustc", "--print", "sysroot").strip(), "bin")
    links = " ".join(shlex.quote(str(rust / it)) for it in ("cargo", "rustc"))
    script = f'#!/bin/sh\nset -e\n/bin/mkdir -p "$CARGO_HOME/bin"\n/bin/ln -sf {links} "$CARGO_HOME/bin"\n'
    (folder / "rustup-init").write_text(script)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "server"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def hooks(tmp_path: Path, server: str):
    """Runs the hooks of the build on a machine without Rust."""
    package, environment = scaffold(tmp_path / "mypkg"), Environment(tmp_path / "venv", "3.12")
    environment.install("scikit-build-core>=0.11", "packaging", "puccinialin")
    nothing = tmp_path / "no-cargo"
    nothing.mkdir()
    env = {
        "PATH": str(nothing),
        "PYTHONPATH": str(ROOT / "runtime/backend"),
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "CARGO_HOME": str(nothing),
        "RUSTUP_UPDATE_ROOT": server,
        "NO_PROXY": "127.0.0.1",
    }
    return lambda **more: environment.python("-c", HOOKS, cwd=package, env={**env, **more})


@of_server
def test_it_is_installed_once(hooks) -> None:
    for again in (False, True):
        output = hooks()
        assert "wheel: True\neditable: True\n" in output
        assert "there is a cargo: cargo 1." in output
        assert ("Rustup already downloaded" in output) == again


@of_server
def test_it_is_not_installed_where_that_is_not_wanted(hooks) -> None:
    output = hooks(CUVEC_INSTALL_RUST="0")
    assert "wheel: False\neditable: False\nthere is a cargo: False" in output


@of_server
def test_what_cannot_be_fetched_is_told(hooks) -> None:
    output = hooks(RUSTUP_UPDATE_ROOT="http://127.0.0.1:9")
    assert "Rust could not be installed: " in output
    assert "there is a cargo: False" in output
