"""A step against NumPy in double precision, and what must be true of many."""

import os
import subprocess
import sys

import numpy as np
import pytest

from reaction import Plate, cuvec, gray_scott, seeded

FEED, KILL = (0.02, 0.06), (0.05, 0.065)


def step(plate):
    """In double precision; `np.roll` lets the edges meet."""
    cells = np.asarray(plate.cells, "complex128")
    feed, kill = np.asarray(plate.feed, "f8"), np.asarray(plate.kill, "f8")[:, np.newaxis]
    around = sum(np.roll(cells, shift, axis) for shift in (1, -1) for axis in (0, 1))
    spread = 0.16 * (around - 4 * cells)
    u, v = cells.real, cells.imag
    return (
        u + spread.real - u * v**2 + feed * (1 - u),
        v + 0.5 * spread.imag + u * v**2 - (feed + kill) * v,
    )


@pytest.mark.parametrize("size", [8, 31, 33, 130])
def test_a_step_matches_numpy(size):
    plate = seeded(size, FEED, KILL)
    u, v = step(plate)
    plate.steps(1)
    np.testing.assert_allclose(plate.cells.real, u, atol=1e-6)
    np.testing.assert_allclose(plate.v, v, atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (40, 2)])
def test_other_shapes(shape):
    rows, columns = shape
    rng = np.random.default_rng(1)
    cells = cuvec.asarray(rng.random(shape) + 1j * rng.random(shape), "complex64")
    plate = Plate(cells, cuvec.full(columns, 0.03), cuvec.full(rows, 0.06))
    u, v = step(plate)
    plate.steps(1)
    np.testing.assert_allclose(plate.cells, u + 1j * v, atol=1e-6)


def test_the_same_on_the_cpu():
    """This process, on a GPU if there is one, computes the same as one without a GPU."""
    plate = seeded(96, FEED, KILL)
    plate.steps(500)
    code = f"import sys, reaction; plate = reaction.seeded(96, {FEED}, {KILL}); plate.steps(500); "
    code += "sys.stdout.buffer.write(plate.cells.tobytes())"
    environment = {**os.environ, "CUVEC_DEVICE": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, env=environment
    )
    there = np.frombuffer(done.stdout, "complex64").reshape(96, 96)
    np.testing.assert_allclose(plate.cells, there, rtol=0, atol=1e-6)
    assert plate.v.std() > 0.05


def test_nothing_is_lost_without_feed_and_kill():
    plate = seeded(64, (0, 0), (0, 0))
    before = np.sum(plate.cells, dtype="complex128")
    plate.steps(100)
    after = np.sum(plate.cells, dtype="complex128")
    assert after.real + after.imag == pytest.approx(before.real + before.imag, rel=1e-6)
    assert after.imag > before.imag + 1


def test_a_plate_of_u_alone_stays():
    plate = Plate(cuvec.ones((16, 16), "complex64"), cuvec.full(16, 0.03), cuvec.full(16, 0.06))
    plate.steps(10)
    np.testing.assert_array_equal(plate.cells, np.ones((16, 16)))


def test_wrong_input():
    cells = cuvec.ones((4, 6), "complex64")
    feed, kill = cuvec.full(6, 0.03), cuvec.full(4, 0.06)
    with pytest.raises(ValueError, match="columns"):
        gray_scott(cells, kill, kill)
    with pytest.raises(TypeError, match="complex64"):
        gray_scott(cuvec.ones((4, 6)), feed, kill)
    with pytest.raises(ValueError, match="diffusion must be positive"):
        gray_scott(cells, feed, kill, diffusion=0)
    with pytest.raises(ValueError, match="unstable"):
        gray_scott(cells, feed, kill, diffusion=0.3)
