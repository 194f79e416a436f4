"""A whole head, scanned and reconstructed slice by slice on the workers of Dask, on GPUs or CPUs."""

from .slices import heights, one_image, one_scan
from .volume import Volume, reconstruct
from .workers import gpus, kill_one, local

__all__ = [
    "Volume",
    "gpus",
    "heights",
    "kill_one",
    "local",
    "one_image",
    "one_scan",
    "reconstruct",
]
