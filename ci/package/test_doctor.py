"""Both doctors, with a wheel and a toolkit that are none of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from environment import Environment
from generator import EXECUTABLE
from shell import run

# What nvcc makes when no architectures are asked for, and what Rust's compiler does.
CODE = {
    "cu": "sm_75, sm_80, sm_90, sm_100, sm_110, sm_120, PTX of sm_120, CUDA 13.0",
    "rust": "PTX of sm_75, CUDA 12.0",
}


def found(*words: str | Path, **env: str) -> dict[str, dict[str, str]]:
    """What `cuvec-new doctor` finds, by check."""
    shown = run(EXECUTABLE, "doctor", "--json", *words, env=env)
    return {finding["check"]: finding for finding in json.loads(shown)}


def test_code_in_a_wheel(wheel: Path, repaired: Path, kernels: str) -> None:
    before, after = found(wheel), found(repaired)
    for findings in (before, after):
        assert findings["GPU code"]["found"] == CODE[kernels]
        assert findings["libraries"]["found"] == "none bundled"
    assert before["tags"]["hint"] == f"for PyPI: auditwheel repair {wheel}"
    assert (after["tags"]["status"], after["size"]["status"]) == ("ok", "ok")


def test_an_installed_package(on_311: Environment, kernels: str) -> None:
    findings = json.loads(on_311.python("-m", "mypkg.doctor", "--json", cwd=on_311.bin))
    by_check = {finding["check"]: finding for finding in findings}
    assert by_check["GPU code"]["found"] == CODE[kernels]
    assert by_check["Python"]["status"] == by_check["libraries"]["status"] == "ok"


def test_what_nvcc_accepts_is_what_its_header_says(
    kernels: str, package: Path, build_tools: Environment, tmp_path: Path
) -> None:
    """The nvcc that pip will fetch is not there to be looked at; another one is."""
    if kernels != "cu":
        pytest.skip("needs no nvcc")
    (toolkit,) = build_tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu13")
    clang = tmp_path / "clang++"
    clang.write_text("#!/bin/sh\necho clang version 14.0.6\n")
    clang.chmod(0o755)
    for env in ({}, {"CUDAHOSTCXX": str(clang)}):
        fetched, chosen = (found(package, **env, **more) for more in ({}, {"CUDA_HOME": str(toolkit)}))
        assert chosen["compiler of nvcc"] == fetched["compiler of nvcc"]
        assert chosen["CCCL"]["status"] == "ok"
        assert chosen["nvcc"]["found"] == f"13.0 at {toolkit}/bin/nvcc of CUDA_HOME"
