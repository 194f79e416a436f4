"""The same projection with what people use today: each is a pair of functions, the projection and what is its adjoint."""

import importlib.util

import numpy as np


def available(module):
    return importlib.util.find_spec(module) is not None


def scikit_image(size, angles):
    """Rotates the image for each angle. Its `iradon` without a filter is nearly the adjoint."""
    from skimage.transform import iradon, radon

    degrees = 180 * np.arange(angles) / angles
    scale = 2 * angles / np.pi

    def forward(image):
        return radon(image, degrees, circle=True).T

    def adjoint(sinogram):
        return iradon(sinogram.T, degrees, filter_name=None, circle=False, output_size=size) * scale

    return forward, adjoint


def matrix(size, angles, sparse, array):
    """Joseph's weights in a sparse matrix, of SciPy or CuPy, and in its transpose."""
    rows, columns, weights = joseph(size, angles)
    shape = (angles * size, size * size)
    system = sparse.csr_matrix((array(weights), (array(rows), array(columns))), shape=shape)
    transposed = system.T.tocsr()
    return (
        lambda image: (system @ image.ravel()).reshape(angles, size),
        lambda sinogram: (transposed @ sinogram.ravel()).reshape(size, size),
    )


def joseph(size, angles):
    """Numbers of rays, of pixels, and the weights."""
    found = []
    place = np.arange(size)
    middle = (size - 1) / 2
    for angle in range(angles):
        cosine, sine = np.cos(np.pi * angle / angles), np.sin(np.pi * angle / angles)
        over_rows = abs(cosine) >= abs(sine)
        across, along = (cosine, -sine) if over_rows else (-sine, cosine)
        crossed = ((place - middle)[:, None] - along * (place - middle)) / across + middle
        for neighbour in (0, 1):
            pixel = np.floor(crossed).astype(int) + neighbour
            ray, step = np.nonzero((pixel >= 0) & (pixel < size))
            pixel = pixel[ray, step]
            number = step * size + pixel if over_rows else pixel * size + step
            weight = (1 - np.abs(crossed[ray, step] - pixel)) / abs(across)
            found.append((angle * size + ray, number, weight))
    rays, pixels, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return rays.astype("int32"), pixels.astype("int32"), weights.astype("float32")


def torch_rotation(size, angles, device):
    """Rotates the image for all angles at once, with bilinear interpolation; autograd makes the adjoint."""
    import torch
    from torch.nn.functional import affine_grid, grid_sample

    turn = torch.pi * torch.arange(angles, device=device) / angles
    cosine, sine, zero = torch.cos(turn), torch.sin(turn), torch.zeros(angles, device=device)
    rotation = torch.stack(
        [torch.stack([cosine, sine, zero], 1), torch.stack([-sine, cosine, zero], 1)], 1
    )
    grid = affine_grid(rotation, (angles, 1, size, size), align_corners=False)
    blank = torch.zeros((size, size), device=device)

    def forward(image):
        stack = image.expand(angles, 1, size, size)
        return grid_sample(stack, grid, align_corners=False)[:, 0].sum(dim=1)

    _, pullback = torch.func.vjp(forward, blank)
    return forward, lambda sinogram: pullback(sinogram)[0]
