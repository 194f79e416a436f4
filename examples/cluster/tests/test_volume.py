"""Slices on workers are the same as in one process, also if a worker is killed in the middle."""

import os
from time import monotonic, sleep

import numpy as np
import pytest

from cluster import gpus, heights, kill_one, local, one_image, one_scan, reconstruct

SLICES, SIZE, OSEM = 10, 32, {"iterations": 2, "subsets": 4}


@pytest.fixture(scope="module")
def alone():
    """The images, from this process."""
    scans = [one_scan(z, i, size=SIZE) for i, z in enumerate(heights(SLICES))]
    return np.stack([one_image(scanned, **OSEM) for scanned in scans])


@pytest.fixture
def workers():
    devices = [] if os.environ.get("CUVEC_DEVICE") == "cpu" else gpus()
    with local(2, devices) as client:
        yield client


def test_workers_give_what_one_process_does(workers, alone):
    volume = reconstruct(workers, heights(SLICES), size=SIZE, **OSEM)
    np.testing.assert_array_equal(volume.image, alone)
    assert {one.worker for one in volume.slices} == {"0", "1"}
    assert volume.lost == []


@pytest.mark.parametrize("images", [1, 5, SLICES])
def test_nothing_is_lost_with_a_worker(workers, alone, images):
    volume = reconstruct(workers, heights(SLICES), size=SIZE, **OSEM, losses={images: kill_one})
    assert len(volume.lost) == 1
    np.testing.assert_array_equal(volume.image, alone)
    assert "was lost, and nothing is missing" in volume.told()


def test_another_process_takes_the_place_of_a_killed_worker(workers):
    before = set(workers.run(os.getpid).values())
    assert kill_one(workers) in (["0"], ["1"])
    wait_for(lambda: len(processes(workers) - before) == 1)
    assert len(processes(workers) & before) == 1


def test_a_worker_takes_work_with_it(workers):
    """Or the tests above would show nothing: some of it was nowhere else."""
    lost = []

    def kill(client):
        names = {at: one["name"] for at, one in client.scheduler_info()["workers"].items()}
        held = client.who_has()
        dead = kill_one(client)
        lost.extend(key for key, at in held.items() if [str(names[one]) for one in at] == dead)
        return dead

    reconstruct(workers, heights(SLICES), size=SIZE, **OSEM, losses={SLICES // 2: kill})
    assert lost


def processes(client):
    client.wait_for_workers(2, timeout=30)
    return set(client.run(os.getpid, on_error="ignore").values())


def wait_for(condition, seconds=30):
    until = monotonic() + seconds
    while not condition():
        assert monotonic() < until
        sleep(0.05)
