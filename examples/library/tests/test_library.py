"""The library, called from Python: compared with NumPy, and with what was scanned."""

import subprocess
import sys

import numpy as np
import pytest

from library import Geometry, Reconstruction, cuvec, phantom, scan, scanner

SIZE, ANGLES = 96, 144


def density(ellipses, size):
    """Values at the centers of the pixels."""
    x = (2 * np.arange(size) + 1 - size) / size
    sum = np.zeros((size, size))
    for e in ellipses.astype(phantom().dtype):
        dx, dy = x - e["x"], -x[:, np.newaxis] - e["y"]
        cosine, sine = np.cos(e["angle"]), np.sin(e["angle"])
        along, across = cosine * dx + sine * dy, cosine * dy - sine * dx
        sum[(along / e["a"]) ** 2 + (across / e["b"]) ** 2 < 1] += e["density"]
    return sum


def in_numpy(sinogram, size, geometry):
    """Filtered backprojection; the transforms are NumPy's."""
    angles, bins = sinogram.shape
    distance = np.fft.fftfreq(4 * bins, 1 / (4 * bins))
    kernel = np.zeros(4 * bins)
    kernel[0] = 0.25
    kernel[distance % 2 == 1] = -1 / (np.pi * distance[distance % 2 == 1]) ** 2
    spectra = np.fft.fft(sinogram, 4 * bins) * np.fft.fft(kernel)
    filtered = np.fft.ifft(spectra).real[:, :bins]
    x = (np.arange(size) - (size - 1) / 2) * geometry["pixel_width"] / geometry["bin_width"]
    image = np.zeros((size, size))
    for row, turn in zip(filtered, np.pi * np.arange(angles) / angles, strict=True):
        ray = x * np.cos(turn) - x[:, np.newaxis] * np.sin(turn)
        at = ray + (bins - 1) / 2 + geometry["axis"]
        image += np.interp(at, np.arange(bins), row, 0, 0)
    return image * np.pi / (angles * geometry["bin_width"])


@pytest.fixture
def sinogram():
    return scan(phantom(), scanner(SIZE), ANGLES, SIZE)


def test_rays_through_the_middle_of_a_disc_are_its_diameter():
    disc = {"x": 0.3, "y": -0.2, "a": 0.4, "b": 0.4, "angle": 0, "density": 1.5}
    ellipses = np.array([tuple(disc.values())], phantom().dtype)
    sinogram = scan(ellipses, scanner(512), 60, 512)
    np.testing.assert_allclose(sinogram.max(axis=1), 1.5 * 0.8, rtol=1e-4)
    area = sinogram.sum(axis=1) * 2 / 512
    np.testing.assert_allclose(area, 1.5 * np.pi * 0.4**2, rtol=1e-3)


def test_nothing_gives_nothing():
    assert not scan(phantom()[:0], scanner(16), 4, 16).any()


def test_a_head_is_found_again(sinogram):
    with Reconstruction(ANGLES, SIZE, SIZE, scanner(SIZE)) as reconstruction:
        image = reconstruction.apply(sinogram)
    assert isinstance(image, cuvec.CuVec)
    away = np.abs(image - density(phantom(), SIZE))
    assert np.median(away) < 0.02
    assert away[40:56, 40:56].mean() < 0.05


@pytest.mark.parametrize("angles", [1, 45])
@pytest.mark.parametrize("bins", [1, 33, 64, 100])
@pytest.mark.parametrize("axis", [0, -1.75])
def test_agrees_with_numpy(angles, bins, axis):
    geometry = {"bin_width": 0.7, "pixel_width": 0.9, "axis": axis}
    sinogram = np.random.default_rng(1).random((angles, bins), "float32")
    found = Reconstruction(angles, bins, 40, geometry).apply(sinogram)
    np.testing.assert_allclose(found, in_numpy(sinogram, 40, geometry), atol=2e-5 * angles)


def test_an_axis_that_is_not_in_the_middle():
    """A scan and its image, which would be blurred if the axis were ignored."""
    geometry = scanner(SIZE)
    geometry["axis"] = 3.5
    sinogram = scan(phantom(), geometry, ANGLES, SIZE)
    image = Reconstruction(ANGLES, SIZE, SIZE, geometry).apply(sinogram)
    assert np.median(np.abs(image - density(phantom(), SIZE))) < 0.02


def test_objects_are_used_again_and_do_not_share_their_plan(sinogram):
    one, two = (Reconstruction(ANGLES, SIZE, size, scanner(SIZE)) for size in (SIZE, 17))
    first = one.apply(sinogram)
    assert two.apply(sinogram).shape == (17, 17)
    np.testing.assert_array_equal(one.apply(sinogram), first)
    np.testing.assert_allclose(one.apply(2 * sinogram), 2 * first, atol=1e-6)


def test_batches(sinogram):
    with Reconstruction(ANGLES, SIZE, SIZE, scanner(SIZE)) as reconstruction:
        images = reconstruction.apply(np.stack([sinogram, 0 * sinogram]))
        np.testing.assert_array_equal(images[0], reconstruction.apply(sinogram))
    assert not images[1].any()


def test_wrong_input(sinogram):
    reconstruction = Reconstruction(ANGLES, SIZE, SIZE, scanner(SIZE))
    with pytest.raises(ValueError, match=r"^sinogram has shape \(143, 96\), but angles is 144$"):
        reconstruction.apply(sinogram[1:])
    reconstruction.close()
    with pytest.raises(ValueError, match="the Reconstruction is closed"):
        reconstruction.apply(sinogram)
    with pytest.raises(ValueError, match="must be between 1 and 32768"):
        Reconstruction(ANGLES, 0, SIZE, scanner(SIZE))
    with pytest.raises(ValueError, match="bin_width and pixel_width must be positive"):
        Reconstruction(ANGLES, SIZE, SIZE, np.zeros((), Geometry))
    with pytest.raises(ValueError, match="geometry lacks `axis`"):
        scan(phantom(), {"bin_width": 1, "pixel_width": 1}, 1, 1)


def command(*arguments, status=0):
    words = [sys.executable, "-m", "library", "--size", "32", *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def test_draws_a_picture(tmp_path):
    assert "device: cpu" in command("--device", "cpu", "--output", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "0"], "--size must be between 8 and 8192"),
        (["--output", "no/such/folder.png"], "there is no folder"),
        (["--output", "picture.docx"], "--output must end in"),
    ],
)
def test_options_that_are_wrong(arguments, message):
    shown = command(*arguments, status=2)
    assert message in shown
    assert "Traceback" not in shown
