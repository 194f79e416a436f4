"""Loops of C++ on the threads of Rust."""

import threading

import pytest
from package import core


@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_a_loop_runs_every_iteration_once(count):
    seen = []
    core._crossings.call_from_rust(count, lambda begin, end: seen.extend(range(begin, end)))
    assert sorted(seen) == list(range(count))


def test_the_thread_that_calls_works_as_well():
    caller = threading.get_ident()
    worked = threading.Event()

    def body(_begin, _end):
        if threading.get_ident() == caller:
            worked.set()
        assert worked.wait(timeout=60)

    core._crossings.call_from_rust(1000, body)


def test_the_rest_of_a_loop_ends_before_its_error_is_raised():
    running = set()

    def body(begin, _end):
        running.add(begin)
        try:
            if begin == 0:
                raise ValueError("the first part")
        finally:
            running.remove(begin)

    with pytest.raises(ValueError, match="the first part"):
        core._crossings.call_from_rust(1000, body)
    assert not running
