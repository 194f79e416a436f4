"""Features of the system that some tests need; without them the tests are skipped, with the reason."""

import multiprocessing

import pytest


def why_no_pools():
    """Return why processes cannot share a lock, as pools do; empty where they can."""
    try:
        multiprocessing.Lock()
    except (ImportError, OSError) as error:  # no `sem_open`, or no /dev/shm on Linux
        return f"{type(error).__name__}: {error}"
    return ""


NO_POOLS = why_no_pools()
needs_pools = pytest.mark.skipif(bool(NO_POOLS), reason=f"no locks between processes: {NO_POOLS}")
