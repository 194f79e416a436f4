"""The CUDA driver that this process would load, its version, and its GPUs."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .images import ALL_MAJOR, CUDA, Image, covering, described
from .machine import Finding, Machine, Status, ask

GIB = 1 << 30
# CUDA's version, and the release of the driver that it came with
RELEASES = {(13, 0): 580, (12, 0): 525, (11, 0): 450}
DRIVERS = "https://www.nvidia.com/drivers"
START_WITH_GPU = "start it with: docker run --gpus all"
DEVICES = ("dev/nvidia[0-9]*", "dev/dxg", "dev/nvhost-*")  # of Linux, of WSL, of Jetson
STUB, NO_DEVICE, MISMATCH = 34, 100, (803, 804)  # results of cuInit


def release(cuda: tuple[int, int]) -> int:
    """Return the lowest release of the driver that knows this version of CUDA."""
    return next(number for version, number in RELEASES.items() if cuda >= version)


def look(
    machine: Machine,
    images: Sequence[Image] = ALL_MAJOR,
    cuda: tuple[int, int] = CUDA,
    functions: Mapping[str, Sequence[Image]] | None = None,
) -> list[Finding]:
    """Look for a driver that is new enough for `cuda`, and for GPUs that run the images.

    `functions` have images of their own.
    """
    code, said = ask(
        sys.executable, "-I", str(Path(__file__).with_name("probe.py")), machine.libcuda
    )
    if code:
        found = f"asking {machine.libcuda} ended with {code}: {said}"
        findings = [Finding("libcuda", "problem", found, f"install the driver again: {DRIVERS}")]
        gpus = []
    else:
        answer = json.loads(said)
        gpus = answer.get("gpus", [])
        findings = [library(machine, answer)]
        if "missing" not in answer and findings[0].status == "ok":
            findings.append(version(machine, answer["version"], cuda))
        findings += [gpu(index, it, images, functions or {}) for index, it in enumerate(gpus)]
    return [*findings, *wish(machine, bool(gpus))]


def library(machine: Machine, answer: dict[str, Any]) -> Finding:
    """Judge which libcuda it is, and what it answered."""
    has_device = any(map(machine.has, DEVICES))
    if "missing" in answer:
        return missing(machine, has_device)
    path, error = answer["path"], answer["error"]
    folders = Path(path).parts
    if error == STUB or "stubs" in folders:
        hint = f"take {Path(path).parent} out of LD_LIBRARY_PATH"
        return Finding("libcuda", "problem", f"{path} is a stub, for linking only", hint)
    if machine.is_wsl and "wsl" not in folders:
        found = f"{path} is a driver of Linux, and under WSL the driver of Windows works"
        hint = "apt remove 'libnvidia-compute-*', or: export LD_LIBRARY_PATH=/usr/lib/wsl/lib"
        return Finding("libcuda", "problem", found, hint)
    if not error:
        return Finding("libcuda", "ok", f"{path}{' of WSL' if machine.is_wsl else ''}")
    if error in MISMATCH:
        found = f"{path} is of another release than the driver in the kernel (error {error})"
        hint = "reboot, or in a container remove its own libcuda"
        return Finding("libcuda", "problem", found, hint)
    if machine.environ.get("CUDA_VISIBLE_DEVICES", "0") in ("", "-1"):
        found = f"{path}, and CUDA_VISIBLE_DEVICES hides all GPUs"
        return Finding("libcuda", "warning", found, "unset CUDA_VISIBLE_DEVICES")
    if has_device or sys.platform == "win32":
        found = f"{path} {'finds no GPU' if error == NO_DEVICE else 'does not work'}"
        hint = f"nvidia-smi, which says more, or install the driver again: {DRIVERS}"
        return Finding("libcuda", "problem", f"{found} (error {error})", hint)
    where, hint = "no GPU, or its module is not loaded", "if there is one: modprobe nvidia"
    if machine.is_container:
        where, hint = "a container without a GPU", START_WITH_GPU
    found = f"{path}, and no /dev/nvidia*: {where} (error {error})"
    return Finding("libcuda", "warning", found, hint)


def missing(machine: Machine, has_device: bool) -> Finding:
    """Judge that there is no libcuda."""
    found = f"there is no {machine.libcuda}"
    if machine.is_wsl:
        status: Status = "problem" if has_device else "warning"
        hint = "install the driver on Windows, not in Linux; then: wsl --update"
        return Finding("libcuda", status, f"{found} under WSL", hint)
    if has_device:
        install = f"install the driver: {DRIVERS}"
        hint = START_WITH_GPU if machine.is_container else install
        return Finding("libcuda", "problem", f"{found}, but a GPU: /dev/nvidia*", hint)
    hint = f"if there is a GPU, install its driver: {DRIVERS}"
    return Finding("libcuda", "warning", f"{found}: functions run on the CPU", hint)


def version(machine: Machine, number: int, cuda: tuple[int, int]) -> Finding:
    """Judge the driver's version, of the form 13020."""
    has = number // 1000, number % 1000 // 10
    of_kernel = re.search(r"\b(\d{3}\.\d+(\.\d+)?)\b", machine.text("proc/driver/nvidia/version"))
    found = f"{f'release {of_kernel[1]}, ' if of_kernel else ''}CUDA {has[0]}.{has[1]}"
    if has >= cuda:
        return Finding("driver", "ok", found)
    hint = f"install release {release(cuda)} or later: {DRIVERS}"
    needed = f"{found}, but CUDA {cuda[0]}.{cuda[1]} is needed"
    return Finding("driver", "problem", needed, hint)


def gpu(
    index: int,
    it: dict[str, Any],
    images: Sequence[Image],
    functions: Mapping[str, Sequence[Image]],
) -> Finding:
    """Judge whether a GPU runs one of the images; functions that have others may be for other GPUs."""
    major, minor = it["capability"]
    check = f"GPU {index}"
    found = f"{it['name']}, compute capability {major}.{minor}, {it['memory'] / GIB:.0f} GiB"
    image = covering(images, major, minor)
    if image is None:
        hint = f"build it for this one: CUDAARCHS={major}{minor} pip install --no-cache-dir --force-reinstall ."
        return Finding(check, "problem", f"{found}, and the code is for {described(images)}", hint)
    others = [name for name, its in functions.items() if not covering(its, major, minor)]
    but = f", but not {', '.join(sorted(others))}" if others else ""
    return Finding(check, "ok", f"{found}, runs {image}{but}")


def wish(machine: Machine, has_gpu: bool) -> list[Finding]:
    """Judge CUVEC_DEVICE, if it is set."""
    wish = machine.environ.get("CUVEC_DEVICE", "")
    unset = "unset CUVEC_DEVICE"
    if not wish:
        return []
    if wish not in ("auto", "cuda", "cpu"):
        found = f"`{wish}` is neither auto, cuda nor cpu"
    elif wish == "cuda" and not has_gpu:
        found, unset = "cuda, and no GPU can be used", f"{unset}, and functions run on the CPU"
    elif wish == "cpu" and has_gpu:
        return [Finding("CUVEC_DEVICE", "warning", "cpu: the GPU is not used", unset)]
    else:
        return [Finding("CUVEC_DEVICE", "ok", wish)]
    return [Finding("CUVEC_DEVICE", "problem", found, unset)]
