"""Processor of a measurement."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import machine


def processor(device: str) -> str:
    """The name of the GPU, or of the CPU and how many of its cores there are."""
    if device == "cuda":
        return machine.driver()
    told = Path("/proc/cpuinfo")
    names = [line for line in told.read_text().splitlines() if "model name" in line] if told.exists() else []
    name = names[0].partition(": ")[2] if names else platform.machine()
    return f"{name}, {len(os.sched_getaffinity(0))} cores"
