"""Asks the CUDA driver, in a process of its own: `python probe.py libcuda.so.1` prints JSON."""

import ctypes
import json
import sys
from pathlib import Path
from typing import Any

NAME_LENGTH = 128
CAPABILITY = (75, 76)  # numbers of attributes: major, minor


def path_of(name: str) -> str:
    """Return where the loaded library is."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return name
    paths = [line.split(maxsplit=5)[5:] for line in maps.read_text().splitlines()]
    stem = Path(name).name.partition(".so")[0]
    return next((path for (path,) in filter(None, paths) if Path(path).name.startswith(stem)), name)


def probe(name: str) -> dict[str, Any]:
    """Return what the driver says of itself and of its GPUs; numbers of errors as they are."""
    try:
        cuda = ctypes.CDLL(name)
    except OSError as error:
        return {"missing": str(error)}
    number = ctypes.c_int()
    found: dict[str, Any] = {"path": path_of(name), "version": 0, "gpus": []}
    if cuda.cuDriverGetVersion(ctypes.byref(number)) == 0:
        found["version"] = number.value
    found["error"] = cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(number))
    if found["error"]:
        return found
    for index in range(number.value):
        device, text, size = (
            ctypes.c_int(),
            ctypes.create_string_buffer(NAME_LENGTH),
            ctypes.c_size_t(),
        )
        cuda.cuDeviceGet(ctypes.byref(device), index)
        cuda.cuDeviceGetName(text, NAME_LENGTH, device)
        cuda.cuDeviceTotalMem_v2(ctypes.byref(size), device)
        capability = []
        for attribute in CAPABILITY:
            cuda.cuDeviceGetAttribute(ctypes.byref(number), attribute, device)
            capability.append(number.value)
        name = text.value.decode(errors="replace")
        found["gpus"].append({"name": name, "capability": capability, "memory": size.value})
    return found


if __name__ == "__main__":
    print(json.dumps(probe(sys.argv[1])))
