"""cargo works in a generated package on its own, without pip."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from developer import DEVELOPMENT
from environment import Environment
from generator import Combination, scaffold
from proofs import representative, stands_for
from recipe import follow
from rustc import COMPILER
from shell import ROOT, run
from workflow import commands


@pytest.fixture(scope="session")
def crate(work: Path, package: Path) -> Path:
    """With more kernels, a large one and one of many numbers, if kernels are in Rust."""
    if not (package / "runtime/native/Cargo.toml").exists():
        pytest.skip("no Rust in it")
    copy = Path(shutil.copytree(package, work / "crate" / "mypkg"))
    if (copy / "kernels/kernels.ptx").exists():
        follow(copy, ROOT / "ci/kernels/heat.md", ROOT / "ci/kernels/quadric.md")
    return copy


@pytest.fixture(scope="session")
def active(build_tools: Environment) -> dict[str, str]:
    """The environment variables of a shell in which the package's virtual environment is active. Packages do not share
    a target folder: cargo tells the members of two workspaces apart by their names and folders in them, not by the
    files, so that it takes the crate `kernels` of one package for that of another."""
    return {
        "PATH": build_tools.path,
        "VIRTUAL_ENV": str(build_tools.bin.parent),
        "KERNELS_RUSTC": COMPILER,
        **DEVELOPMENT,
    }


def test_rustfmt(crate: Path) -> None:
    for folder in ("runtime/native", "src"):
        run("cargo", "fmt", "--all", "--check", cwd=crate / folder)


def members(workspace: Path) -> dict[str, dict[str, bytes]]:
    """The files of Rust in each crate of it but the bridge's own."""
    metadata = json.loads(run("cargo", "metadata", "--format-version=1", "--no-deps", "--offline", cwd=workspace))
    folders = {package["name"]: Path(package["manifest_path"]).parent for package in metadata["packages"]}
    return {
        name: {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in {".rs", ".toml", ".ptx"}
        }
        for name, folder in folders.items()
        if name != "bridge"
    }


def test_clippy(combination: Combination, crate: Path, package: Path, active: dict[str, str], tmp_path: Path) -> None:
    """Of the crates that all bridges have in common, in the representative only."""
    clippy, _ = commands(crate, "runtime")
    if not representative(combination):
        other = scaffold(tmp_path / "mypkg", **stands_for(combination)._asdict())
        assert members(package / "runtime/native") == members(other / "runtime/native"), (
            "the host differs: proofs.py takes it for the same"
        )
        clippy = ["--package=bridge" if word == "--workspace" else word for word in clippy]
    run(*clippy, cwd=crate, env=active)


def test_clippy_of_src(crate: Path, active: dict[str, str]) -> None:
    """The crate `ext` is another workspace, with the same dependencies."""
    target = {"CARGO_TARGET_DIR": str(crate / "runtime/native/target")}
    run("cargo", "clippy", "--locked", "--", "-D", "warnings", cwd=crate / "src", env=active | target)


def test_cargo_test(crate: Path, active: dict[str, str], show: Callable[[str], None]) -> None:
    _, test = commands(crate, "runtime")
    output = run(*test, cwd=crate, env=active)
    results = [line for line in output.splitlines() if line.startswith("test result:")]
    show("cargo test in mypkg: " + "; ".join(result.split(";")[0] for result in results))
    assert any(not line.startswith("test result: ok. 0 passed") for line in results)


def test_an_installer_of_rust_that_was_changed_is_not_run(crate: Path, tmp_path: Path) -> None:
    """That of wheels, in CI."""
    ran, curl = tmp_path / "ran", tmp_path / "curl"
    curl.write_text(f"""#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\ntouch {ran}\\n' >"$2"
""")
    curl.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert "FAILED" in run("sh", crate / "runtime/install-rust.sh", env={"PATH": path}, ok=False)
    assert not ran.exists()


def test_where_rustup_is_it_installs_the_same_version(crate: Path, tmp_path: Path) -> None:
    """On macOS and on Windows."""
    installer = crate / "runtime/install-rust.sh"
    for name, script in (("uname", "echo Darwin"), ("rustup", f'echo "$@" >>{tmp_path}/called')):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    run("sh", installer, env={"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
    (version,) = re.findall(r"^rust=(.+)$", installer.read_text(), re.MULTILINE)
    called = (tmp_path / "called").read_text().splitlines()
    assert called == [f"toolchain install {version} --profile minimal --no-self-update", f"default {version}"]


def crates(workspace: Path) -> dict[str, set[str]]:
    """The features of each crate that it is made of, and of those that they are compiled with."""
    options = ("--edges=normal,build", "--prefix=none", "--no-dedupe", "--format={p}|{f}")
    features: dict[str, set[str]] = {}
    for line in run("cargo", "tree", "--locked", *options, cwd=workspace).splitlines():
        crate, bar, of_it = line.partition("|")
        if bar:  # it is no heading
            features.setdefault(crate, set()).add(of_it)
    return features


def test_what_src_and_the_runtime_share_is_compiled_once(crate: Path) -> None:
    """They are two workspaces with one folder for what is built: a crate is the same one if its features are."""
    runtime, src = crates(crate / "runtime/native/bridge"), crates(crate / "src")
    shared = runtime.keys() & src.keys()
    assert any(name.startswith("syn ") for name in shared)  # the largest of them
    assert {name: runtime[name] for name in shared} == {name: src[name] for name in shared}


def test_a_cache_of_compiled_crates_sees_that_kernels_changed(crate: Path) -> None:
    """sccache keeps static libraries, and of what is linked into them it asks the crates that the manifest names."""
    manifest = tomllib.loads((crate / "runtime/native/bridge/Cargo.toml").read_text())
    assert manifest["lib"]["crate-type"] == ["cdylib"] or "kernels" in manifest["dependencies"]


def builds_of_crates(build: Path, active: dict[str, str], *targets: str) -> list[str]:
    """The commands of cargo that come before these targets."""
    lines = run("ninja", "-C", build, "-t", "commands", *targets, env=active).splitlines()
    return [line for line in lines if " build --lib " in line]


def configure(crate: Path, build: Path, active: dict[str, str], state: str, **more: str) -> None:
    given = {"SKBUILD_STATE": state, "SKBUILD_PROJECT_NAME": "mypkg", "CUDA": "OFF", **more}
    options = [f"-D{name}={value}" for name, value in given.items()]
    run("cmake", "-G", "Ninja", "-S", crate, "-B", build, *options, env=active)


@pytest.mark.parametrize(("state", "locked"), [("wheel", 2), ("editable", 1)])
def test_wheels_are_of_the_crates_that_are_locked(
    state: str, locked: int, crate: Path, active: dict[str, str], tmp_path: Path
) -> None:
    """Those of src/ too, but for an owner who is just adding one."""
    configure(crate, tmp_path, active, state)
    cargo = builds_of_crates(tmp_path, active, "_core", "ext")
    assert len(cargo) == 2
    assert len([line for line in cargo if " --locked " in line]) == locked


def test_no_header_of_cxx_is_made_while_what_includes_it_is_compiled(
    crate: Path, active: dict[str, str], build_tools: Environment, tmp_path: Path
) -> None:
    """The build script of each of the two crates removes cxx's own header and makes it again."""
    nanobind = build_tools.python("-m", "nanobind", "--cmake_dir").strip()
    configure(crate, tmp_path, active, "wheel", nanobind_DIR=nanobind)
    targets = run("ninja", "-C", tmp_path, "-t", "targets", "all", env=active)
    objects = re.findall(r"^(\S+\.o): ", targets, re.MULTILINE)
    before = {len(builds_of_crates(tmp_path, active, one)) for one in objects}
    assert before == {0, 2}  # nanobind's own files wait for neither
