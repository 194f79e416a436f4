"""A reconstruction by the library, and by what people use today."""

import functools
import importlib.util
import os

import numpy as np

from library import Reconstruction, cuvec, phantom, scan, scanner

SIZES = {"cpu": (128, 256), "cuda": (256, 512, 1024)}
LARGEST = 512  # of which scikit-image takes seconds


def subjects(subject, size=None):
    """Yield what is measured; `subject(work, who, call)` makes it."""
    for side in [size] if size else SIZES[os.environ["CUVEC_DEVICE"]]:
        of = functools.partial(subject, f"{side} × {side}, {side} angles")
        sinogram = scan(phantom(), scanner(side), side, side)
        reconstruction = Reconstruction(side, side, side, scanner(side))
        image = cuvec.zeros((side, side), "float32")
        yield of("this package", functools.partial(reconstruction.apply, sinogram, out=image))
        yield of(
            "with a plan for each call", lambda side=side, sinogram=sinogram: once(side, sinogram)
        )
        if importlib.util.find_spec("skimage") and side <= LARGEST:
            from skimage.transform import iradon

            degrees = 180 * np.arange(side) / side
            theirs = np.asarray(sinogram.T)
            yield of("scikit-image, CPU", functools.partial(iradon, theirs, degrees, circle=True))


def once(side, sinogram):
    with Reconstruction(side, side, side, scanner(side)) as reconstruction:
        return reconstruction.apply(sinogram)
