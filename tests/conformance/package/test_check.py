"""`python -m mypkg.check`, with programs in the place of NVIDIA's, and the ranges that profilers show."""

import os
import shutil
import subprocess
import sys

import pytest
from package import NAME

SCRIPT = """#!/bin/sh
while [ "${1#-}" != "$1" ] || [ "$1" = profile ]; do printf '%s ' "$1"; shift; done
echo "on $CUVEC_DEVICE, ranges ${CUVEC_NVTX:-off}"
"$@"
exit $?
"""
NVTX = """#include <stdio.h>
int nvtxRangePushA(const char *name) { return printf("{%s\\n", name); }
int nvtxRangePop(void) { int n = printf("}\\n"); fflush(stdout); return n; }
"""
CALL = f"import numpy as np, {NAME}; x = np.ones(3); {NAME}.axpy(2, x, x.copy()); print('called')"


@pytest.fixture
def check(tmp_path):
    """Start the command in a folder with one test, on a PATH of fakes alone."""
    (tmp_path / "test_it.py").write_text("def test_passes(): pass\ndef test_fails(): assert 0\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("compute-sanitizer", "nsys"):
        (programs / name).write_text(SCRIPT)
        (programs / name).chmod(0o755)

    def start(*arguments, path=programs):
        line = [sys.executable, "-m", f"{NAME}.check", *arguments]
        env = {**os.environ, "PATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            line, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False
        )
        return done.returncode, done.stdout + done.stderr

    return start


def test_tests_run_under_the_sanitizer(check):
    code, said = check("--sanitize", "racecheck", "-k", "passes")
    assert "1 passed, 1 deselected" in said
    flags = "--tool=racecheck --error-exitcode=86 --target-processes=application-only"
    assert f"{flags} on cuda, ranges off" in said
    assert code == 0
    code, said = check("--sanitize", "-q")
    assert "--tool=memcheck" in said
    assert "1 failed, 1 passed" in said
    assert code == 1


def test_what_is_missing_is_named(check, tmp_path):
    assert check("--sanitize", path=tmp_path) == (
        1,
        "there is no compute-sanitizer: pip install nvidia-cuda-sanitizer-api\n",
    )
    assert check("--profile", "ncu") == (
        1,
        "there is no ncu: install NVIDIA Nsight, of the CUDA toolkit\n",
    )


@pytest.fixture
def nvtx(tmp_path):
    if not shutil.which("cc"):
        pytest.skip("needs cc")
    library = tmp_path / "libnvtx.so"
    line = ["cc", "-shared", "-fPIC", "-xc", "-", "-o", library]
    subprocess.run(line, input=NVTX, text=True, check=True)
    return library


@pytest.mark.function("axpy")
def test_a_call_is_a_range(run_python, nvtx, monkeypatch):
    monkeypatch.setenv("CUVEC_NVTX", str(nvtx))
    assert run_python(CALL).splitlines() == ["{axpy", "}", "called"]
    monkeypatch.delenv("CUVEC_NVTX")
    assert run_python(CALL).splitlines() == ["called"]


@pytest.mark.function("axpy")
def test_ranges_without_the_library(run_python, monkeypatch):
    monkeypatch.setenv("CUVEC_NVTX", "/nowhere/libnvtx.so")
    caught = f"try:\n    {CALL}\nexcept RuntimeError as error:\n    print(error)"
    assert run_python(caught).startswith("CUVEC_NVTX is `/nowhere/libnvtx.so`: ")
