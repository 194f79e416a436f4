"""The PTX that comes with the package: NVIDIA's assembler takes it, as a driver would."""

import importlib.metadata
import os
import shutil
import subprocess
from pathlib import Path

import package
import pytest

FOLDERS = [package.HERE / "kernels", package.HERE.parents[1] / "kernels"]
OLDEST_AND_NEWER = ["sm_75", "sm_90"]


def of_pypi():
    """Return the assembler in the package `nvidia-cuda-nvcc`, if that is installed."""
    try:
        files = importlib.metadata.files("nvidia-cuda-nvcc") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((file.locate() for file in files if file.stem == "ptxas"), None)


def of_a_toolkit():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    folders = [str(Path(home, "bin")) for home in homes if home]
    return shutil.which("ptxas") or shutil.which("ptxas", path=os.pathsep.join(folders))


@pytest.fixture(scope="module")
def ptxas():
    found = os.environ.get("KERNELS_PTXAS") or of_pypi() or of_a_toolkit()
    if not found:
        pytest.skip('there is no ptxas: pip install "nvidia-cuda-nvcc==13.*"')
    return found


@pytest.mark.parametrize("gpu", OLDEST_AND_NEWER)
@pytest.mark.parametrize("folder", FOLDERS, ids=["of the tests", "of the package"])
def test_the_assembler_takes_it(folder, gpu, ptxas, tmp_path):
    command = [ptxas, f"-arch={gpu}", folder / "kernels.ptx", "-o", tmp_path / "kernels.cubin"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "kernels.cubin").stat().st_size > 0
