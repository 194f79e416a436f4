"""NVIDIA's assembler accepts the PTX of kernels in Rust, as a driver would."""

import importlib.metadata
import os
import shutil
import subprocess
from pathlib import Path

import package
import pytest

FILES = {
    "of the tests": package.KERNELS / "rust/kernels.ptx",
    "of the package": package.TESTS.parents[1] / "kernels/kernels.ptx",
}
OLDEST_AND_NEWER = ["sm_75", "sm_90"]


def from_pypi():
    """Return the assembler of the package `nvidia-cuda-nvcc`, if it is installed."""
    try:
        files = importlib.metadata.files("nvidia-cuda-nvcc") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((file.locate() for file in files if file.stem == "ptxas"), None)


def from_a_toolkit():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    folders = [str(Path(home, "bin")) for home in homes if home]
    return shutil.which("ptxas") or shutil.which("ptxas", path=os.pathsep.join(folders))


@pytest.fixture(scope="module")
def ptxas():
    found = os.environ.get("KERNELS_PTXAS") or from_pypi() or from_a_toolkit()
    if not found:
        pytest.skip('there is no ptxas: pip install "nvidia-cuda-nvcc==13.*"')
    return found


@pytest.mark.parametrize("gpu", OLDEST_AND_NEWER)
@pytest.mark.parametrize(
    "file", [pytest.param(it, id=key) for key, it in FILES.items() if it.exists()]
)
def test_the_assembler_accepts_it(file, gpu, ptxas, tmp_path):
    command = [ptxas, f"-arch={gpu}", file, "-o", tmp_path / "kernels.cubin"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "kernels.cubin").stat().st_size > 0
