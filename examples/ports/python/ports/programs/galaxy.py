"""How the stars of two galaxies attract each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cuvec.functions import accelerations as function

__all__ = ["draw", "function", "in_numpy", "inputs", "summary"]

SOFTENING = 0.05


def inputs(size: int) -> tuple[NDArray[np.float32], ...]:
    """Positions and masses of `size` stars; the masses are 1 together."""
    rng = np.random.default_rng(5)
    radius, turn = rng.exponential(0.25, size), rng.uniform(0, 2 * np.pi, size)
    disc = np.stack([radius * np.cos(turn), radius * np.sin(turn), rng.normal(0, 0.03, size)], 1)
    middles = np.array([(-0.8, -0.3, 0), (0.8, 0.3, 0.2)])
    positions = disc + middles[(np.arange(size) % 3 == 0).astype(int)]
    masses = rng.uniform(0.5, 1.5, size) / size
    return positions.astype("float32"), masses.astype("float32")


def in_numpy(
    positions: NDArray[Any], masses: NDArray[Any], softening: float = SOFTENING
) -> NDArray[Any]:
    way = positions - positions[:, np.newaxis]
    square = (way**2).sum(axis=-1) + softening**2
    result: NDArray[Any] = np.einsum("ij,ijk->ik", masses / square**1.5, way)
    return result


def summary(result: NDArray[Any]) -> str:
    return f"accelerations of up to {np.linalg.norm(result, axis=1).max():.2f}"


def draw(axes: Any, result: NDArray[Any]) -> None:
    positions, masses = inputs(len(result))
    x, y, _ = positions.T
    strength = np.sqrt(np.linalg.norm(result, axis=1))
    ways = result.T[:2] / strength**1.5
    axes.quiver(x, y, *ways, strength, cmap="plasma", width=0.004, angles="xy", scale=20)
    axes.scatter(x, y, s=500 * masses, color="white", linewidths=0)
    axes.set(aspect="equal", xlim=(-1.7, 1.7), ylim=(-1.7, 1.7))
    axes.set_axis_off()
