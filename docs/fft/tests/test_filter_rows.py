"""`filter_rows`, compared with NumPy: where there is a GPU, cuFFT's transforms."""

import threading

import numpy as np
import pytest

from mypkg import cuvec, filter_rows


def expected(x: np.ndarray, response: np.ndarray) -> np.ndarray:
    return np.fft.irfft(np.fft.rfft(x) * response, x.shape[-1])


def data(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(sum(shape))
    response = random.random(shape[-1] // 2 + 1)
    return random.standard_normal(shape).astype("float32"), response.astype("float32")


@pytest.mark.parametrize("shape", [(8,), (2,), (5, 64), (3, 2, 15), (1000, 36), (0, 4)])
def test_rows(shape: tuple[int, ...]) -> None:
    x, response = data(*shape)
    np.testing.assert_allclose(filter_rows(x, response), expected(x, response), atol=1e-5)


def test_views_that_are_not_aligned_for_complex_numbers() -> None:
    x, response = data(65)
    np.testing.assert_allclose(filter_rows(cuvec.asarray(x)[1:], response), expected(x[1:], response), atol=1e-5)


def test_threads_share_a_plan_and_not_its_memory() -> None:
    given = [data(16, 96) for _ in range(4)]
    given = [(x + i, response) for i, (x, response) in enumerate(given)]
    wrong = []

    def work(x: np.ndarray, response: np.ndarray) -> None:
        try:
            for _ in range(50):
                y = filter_rows(x, response)
                np.testing.assert_allclose(y, expected(x, response), atol=1e-4)
        except AssertionError as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=arguments) for arguments in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_streams() -> None:
    """Calls on a stream are in order with what comes after them there."""
    if cuvec.device().kind == "cpu":
        pytest.skip("needs a GPU")
    torch = pytest.importorskip("torch")
    x, response = (torch.from_numpy(array).cuda() for array in data(256, 1024))
    streams = [torch.cuda.Stream() for _ in range(3)]
    torch.cuda.synchronize()
    found = []
    for stream in streams:
        with torch.cuda.stream(stream):
            found.append(filter_rows(filter_rows(x, response, stream=stream), response, stream=stream))
    torch.cuda.synchronize()
    twice = expected(x.cpu().numpy(), response.cpu().numpy() ** 2)
    for y in found:
        np.testing.assert_allclose(y.cpu(), twice, atol=1e-4)
