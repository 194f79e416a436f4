"""Where there is no Rust, a build installs it with puccinialin: here from a server with a script in the place of rustup."""

from __future__ import annotations

import platform
import shlex
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from environment import Environment
from generator import scaffold
from shell import run

HOOKS = """
import shutil, subprocess
from cuvec_build import get_requires_for_build_editable, get_requires_for_build_wheel, rust
print("wheel:", "puccinialin" in get_requires_for_build_wheel())
print("editable:", "puccinialin" in get_requires_for_build_editable())
rust.use()
print("there is a cargo:", bool(shutil.which("cargo")) and subprocess.check_output(["cargo", "--version"], text=True))
"""

pytestmark = pytest.mark.skipif(
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
        "PYTHONPATH": str(package / "runtime/backend"),
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "CARGO_HOME": str(nothing),
        "RUSTUP_UPDATE_ROOT": server,
        "NO_PROXY": "127.0.0.1",
    }
    return lambda **more: environment.python("-c", HOOKS, cwd=package, env={**env, **more})


def test_it_is_installed_once(hooks) -> None:
    for again in (False, True):
        output = hooks()
        assert "wheel: True\neditable: True\n" in output
        assert "there is a cargo: cargo 1." in output
        assert ("Rustup already downloaded" in output) == again


def test_it_is_not_installed_where_that_is_not_wanted(hooks) -> None:
    output = hooks(CUVEC_INSTALL_RUST="0")
    assert "wheel: False\neditable: False\nthere is a cargo: False" in output


def test_what_cannot_be_fetched_is_told(hooks) -> None:
    output = hooks(RUSTUP_UPDATE_ROOT="http://127.0.0.1:9")
    assert "Rust could not be installed: " in output
    assert "there is a cargo: False" in output
