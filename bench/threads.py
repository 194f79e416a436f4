"""Calls from several threads at once."""

from __future__ import annotations

import threading
import time

from clock import Work

REPEATS = 2000


def seconds_in_threads(calls: list[Work]) -> float:
    """Seconds per call when each is repeated in a thread of its own."""
    barrier = threading.Barrier(len(calls) + 1)

    def work(call: Work) -> None:
        call()
        barrier.wait()
        for _ in range(REPEATS):
            call()

    threads = [threading.Thread(target=work, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    barrier.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    return (time.perf_counter() - start) / (len(calls) * REPEATS)
