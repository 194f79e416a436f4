"""An iteration of MLEM without resolution modelling: here, and with the projections that people use today."""

import functools
import os

import numpy as np
import rivals

from tomography import mlem, scan

SIZES = {
    "cpu": (65, 129),
    "cuda": (129, 257, 513),
}  # odd: scikit-image has another middle of even ones
LARGEST_MATRIX = 257  # its weights take 0.8 GB; for 513 they would take 6.4


def subjects(subject, size=None):
    """Yield what is measured; `subject(work, who, call)` makes it."""
    on_gpu = os.environ["CUVEC_DEVICE"] == "cuda"
    for side in [size] if size else SIZES["cuda" if on_gpu else "cpu"]:
        of = functools.partial(subject, f"{side} × {side}, {side} angles")
        yield of("this package", ours(side, 0))
        yield of("the same with resolution modelling", ours(side, 5))
        if rivals.available("skimage") and side <= LARGEST_MATRIX:
            yield of("scikit-image, CPU", theirs(side, rivals.scikit_image, np.asarray))
        if rivals.available("scipy") and side <= LARGEST_MATRIX:
            yield of("SciPy, sparse matrix, CPU", theirs(side, scipy_matrix, np.asarray))
        if rivals.available("cupy") and on_gpu and side <= LARGEST_MATRIX:
            yield of("CuPy, sparse matrix", cupy(side))
        if rivals.available("torch"):
            yield of("PyTorch, rotation", torch(side, "cuda" if on_gpu else "cpu"))


def ours(size, fwhm):
    scanner, data, _ = scan(size, angles=size, fwhm=fwhm)
    return functools.partial(next, mlem(scanner, data))


def theirs(size, projection, array, wait=lambda: None):
    """An iteration with another projection, in arrays of the library that `array` is of."""
    scanner, data, truth = scan(size, angles=size, fwhm=0)
    forward, adjoint = projection(size, size)
    check(forward(array(truth)), scanner.forward(truth))
    counts, factors, background = (array(a) for a in (data, scanner.factors, scanner.background))
    sensitivity = adjoint(factors)
    image = array(scanner.visible())
    seen = sensitivity > 0

    def iteration():
        nonlocal image
        ratio = factors * counts / (factors * forward(image) + background)
        image = image * adjoint(ratio) / (sensitivity + ~seen)
        wait()

    return iteration


def check(sinogram, expected):
    """Checks that the projection is the same, within two percent."""
    for to_host in ("get", "cpu"):
        sinogram = getattr(sinogram, to_host)() if hasattr(sinogram, to_host) else sinogram
    sinogram = np.asarray(sinogram)
    assert np.linalg.norm(sinogram - expected) < 0.02 * np.linalg.norm(expected)


def scipy_matrix(size, angles):
    from scipy import sparse

    return rivals.matrix(size, angles, sparse, np.asarray)


def cupy(size):
    import cupy
    from cupyx.scipy import sparse

    projection = functools.partial(rivals.matrix, sparse=sparse, array=cupy.asarray)
    return theirs(size, projection, cupy.asarray, cupy.cuda.Device().synchronize)


def torch(size, device):
    import torch

    projection = functools.partial(rivals.torch_rotation, device=device)
    wait = torch.cuda.synchronize if device == "cuda" else (lambda: None)
    return theirs(size, projection, lambda a: torch.tensor(np.asarray(a), device=device), wait)
