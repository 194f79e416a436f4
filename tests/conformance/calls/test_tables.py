"""`set_table` and `look_up`: constants that a function sets, in order with what other threads and streams do."""

import threading

import numpy as np
import package
import pytest
from package import cuvec

pytestmark = pytest.mark.function("look_up")
X = np.arange(256, dtype="u1")


def table(seed):
    return np.random.default_rng(seed).random(256, "f4")


def test_it_is_what_was_set_last():
    for seed in range(3):
        package.module.set_table(table(seed))
        np.testing.assert_array_equal(package.module.look_up(X), table(seed))


def test_other_threads_see_it():
    package.module.set_table(table(7))
    found = []
    thread = threading.Thread(target=lambda: found.append(np.array(package.module.look_up(X))))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(found[0], table(7))


def test_a_call_sees_one_table_while_threads_set_others():
    """All elements of a table are the same number."""
    x = np.random.default_rng(0).integers(0, 256, 100_000).astype("u1")
    package.module.set_table(np.zeros(256, "f4"))
    over = threading.Event()

    def work():
        number = 0
        while not over.is_set():
            number += 1
            package.module.set_table(np.full(256, number, "f4"))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(200):
            y = np.array(package.module.look_up(x))
            assert np.unique(y).size == 1
    finally:
        over.set()
        thread.join()


@pytest.mark.gpu
def test_calls_that_are_on_their_way_see_the_old_one(stream):
    x = cuvec.asarray(np.zeros(1 << 20, "u1"))
    for number in range(20):
        package.module.set_table(np.full(256, number, "f4"))
        y = package.module.look_up(x, stream=stream)
        package.module.set_table(np.full(256, -1, "f4"))
        z = package.module.look_up(x)
        cuvec.dev_sync()
        assert (np.unique(y), np.unique(z)) == (number, -1)
