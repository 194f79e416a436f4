"""The doctor on machines with other drivers, or none."""

import shutil
import subprocess
import sys
from importlib import import_module

import pytest
from package import NAME

driver = import_module(f"{NAME}.cuvec.doctor.driver")
machine = import_module(f"{NAME}.cuvec.doctor.machine")
Image = import_module(f"{NAME}.cuvec.doctor.images").Image

UNSET = "unset CUVEC_DEVICE"
IMAGES = [Image(False, 75), Image(True, 90)]
FUNCTIONS = {"wide": IMAGES}
WSL = "Linux version 5.15.90.1-microsoft-standard-WSL2"


@pytest.fixture
def look(tmp_path, fake_driver, monkeypatch):
    """Inspect a machine with these files; return the lines of the report, without the library's folder."""

    def look(*files, libcuda=fake_driver, environ=None, needs=(13, 0), **told):
        for name, value in told.items():
            monkeypatch.setenv(f"FAKE_{name.upper()}", str(value))
        for file in files:
            path, _, text = file.partition("=")
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        here = machine.Machine(tmp_path, environ or {}, str(libcuda))
        said = driver.look(here, IMAGES, needs, FUNCTIONS)
        return [str(finding).replace(str(fake_driver.parent), "DRIVER") for finding in said]

    return look


def test_a_driver_and_its_gpus(look):
    kernel = "proc/driver/nvidia/version=NVRM version: NVIDIA UNIX x86_64  580.65.06  Release Build"
    assert look("dev/nvidia0", kernel, version=13010, count=2) == [
        "ok       libcuda: DRIVER/libcuda.so.1",
        "ok       driver: release 580.65.06, CUDA 13.1",
        "ok       GPU 0: Fake 0, compute capability 9.0, 2 GiB, runs PTX of sm_90",
        "ok       GPU 1: Fake 1, compute capability 9.1, 3 GiB, runs PTX of sm_90",
    ]


def test_functions_for_other_gpus(look, monkeypatch):
    for number in (100, 90):
        monkeypatch.setitem(FUNCTIONS, f"only_{number}", [Image(False, number, "a")])
    first, second = look("dev/nvidia0", count=2)[-2:]
    assert first.endswith("runs PTX of sm_90, but not only_100")
    assert second.endswith("runs PTX of sm_90, but not only_100, only_90")


def test_no_driver(look):
    library, hint = "libcuda-none.so.1", "install its driver: https://www.nvidia.com/drivers"
    assert look(libcuda=library) == [
        f"warning  libcuda: there is no {library}: functions run on the CPU; if there is a GPU, {hint}"
    ]


def test_a_gpu_without_a_driver(look):
    (said,) = look("dev/nvidia0", libcuda="libcuda-none.so.1")
    assert said.startswith(
        "problem  libcuda: there is no libcuda-none.so.1, but a GPU: /dev/nvidia*;"
    )
    assert "install the driver" in said
    (said,) = look(".dockerenv", libcuda="libcuda-none.so.1")
    assert said.endswith("start it with: docker run --gpus all")


def test_wsl(look, fake_driver):
    (said,) = look("dev/dxg", f"proc/version={WSL}", libcuda="libcuda-none.so.1")
    assert said == (
        "problem  libcuda: there is no libcuda-none.so.1 under WSL; "
        "install the driver on Windows, not in Linux; then: wsl --update"
    )
    assert look()[0].startswith("problem  libcuda: DRIVER/libcuda.so.1 is a driver of Linux")
    of_windows = fake_driver.parent / "wsl/lib"
    of_windows.mkdir(parents=True, exist_ok=True)
    shutil.copy(fake_driver, of_windows)
    said = look(libcuda=of_windows / fake_driver.name)
    assert said[0] == "ok       libcuda: DRIVER/wsl/lib/libcuda.so.1 of WSL"


def test_a_stub(look, fake_driver):
    (said,) = look(error=34)
    assert said == (
        "problem  libcuda: DRIVER/libcuda.so.1 is a stub, for linking only; "
        "take DRIVER out of LD_LIBRARY_PATH"
    )
    stubs = fake_driver.parent / "stubs"
    stubs.mkdir(exist_ok=True)
    shutil.copy(fake_driver, stubs)
    (said, *_) = look(error=0, libcuda=stubs / fake_driver.name)
    assert said.startswith("problem  libcuda: DRIVER/stubs/libcuda.so.1 is a stub")


def test_a_container_without_a_gpu(look):
    no_gpu = "warning  libcuda: DRIVER/libcuda.so.1, and no /dev/nvidia*:"
    assert look(error=100) == [
        f"{no_gpu} no GPU, or its module is not loaded (error 100); if there is one: modprobe nvidia"
    ]
    assert look(".dockerenv") == [
        f"{no_gpu} a container without a GPU (error 100); start it with: docker run --gpus all"
    ]


def test_a_driver_that_finds_no_gpu(look):
    (said,) = look("dev/nvidia0", error=100)
    assert said.startswith("problem  libcuda: DRIVER/libcuda.so.1 finds no GPU (error 100);")
    (said,) = look(error=999)
    assert said.startswith("problem  libcuda: DRIVER/libcuda.so.1 does not work (error 999);")
    (said,) = look(error=803)
    assert "of another release than the driver in the kernel (error 803); reboot" in said
    (said,) = look(error=100, environ={"CUDA_VISIBLE_DEVICES": ""})
    assert said == (
        "warning  libcuda: DRIVER/libcuda.so.1, and CUDA_VISIBLE_DEVICES hides all GPUs; "
        "unset CUDA_VISIBLE_DEVICES"
    )


def test_an_old_driver(look):
    assert look(version=12040)[1] == (
        "problem  driver: CUDA 12.4, but CUDA 13.0 is needed; "
        "install release 580 or later: https://www.nvidia.com/drivers"
    )
    assert look(version=12000, needs=(12, 0))[1] == "ok       driver: CUDA 12.0"
    assert look(version=11080, needs=(12, 0))[1].endswith(
        "CUDA 12.0 is needed; install release 525 or later: https://www.nvidia.com/drivers"
    )


@pytest.mark.parametrize(
    ("capability", "runs"),
    [(70, None), (75, "sm_75"), (89, None), (90, "PTX of sm_90"), (120, "PTX of sm_90")],
)
def test_supported_gpus(look, capability, runs):
    major, minor = divmod(capability, 10)
    start = f"GPU 0: Fake 0, compute capability {major}.{minor}, 2 GiB"
    status, rest = "ok     ", f", runs {runs}"
    if runs is None:
        status, rest = (
            "problem",
            ", and the code is for sm_75, PTX of sm_90; build it for this one: ",
        )
        rest += f"CUDAARCHS={capability} pip install --no-cache-dir --force-reinstall ."
    assert look(capability=capability)[2] == f"{status}  {start}{rest}"


def test_a_driver_that_crashes(look, tmp_path):
    library = tmp_path / "libcuda.so.1"
    source = "__attribute__((constructor)) void end(void) { __builtin_trap(); }"
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library]
    subprocess.run(command, input=source, text=True, check=True)
    (said,) = look(libcuda=library)
    assert said.startswith(f"problem  libcuda: asking {library} ended with -")


@pytest.mark.parametrize(
    ("wish", "error", "said"),
    [
        ("auto", 0, "ok       CUVEC_DEVICE: auto"),
        ("cuda", 0, "ok       CUVEC_DEVICE: cuda"),
        ("cpu", 0, f"warning  CUVEC_DEVICE: cpu: the GPU is not used; {UNSET}"),
        ("cpu", 100, "ok       CUVEC_DEVICE: cpu"),
        (
            "cuda",
            100,
            f"problem  CUVEC_DEVICE: cuda, and no GPU can be used; {UNSET}, and functions run on the CPU",
        ),
        (
            "gpu",
            0,
            f"problem  CUVEC_DEVICE: `gpu` is neither auto, cuda nor cpu; {UNSET}",
        ),
    ],
)
def test_the_requested_device(look, wish, error, said):
    assert look(error=error, environ={"CUVEC_DEVICE": wish})[-1] == said


def test_a_driver_that_does_not_answer(monkeypatch):
    monkeypatch.setattr(machine, "PATIENCE", 0.2)
    code, said = machine.ask(sys.executable, "-c", "import time; time.sleep(100)")
    assert (code, said) == (124, "no answer in 0.2 s")
