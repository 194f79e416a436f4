"""Ctrl-C during a long call on the CPU, and other signals whose handlers raise."""

import pytest

INTERRUPTED = """
import _thread, threading, time
from package import cuvec, smooth, spin
used = cuvec.memory_stats().used
threading.Timer(0.1, _thread.interrupt_main).start()
start = time.monotonic()
try:
    spin(60, threads={threads})
except KeyboardInterrupt:
    print(time.monotonic() - start < 10, cuvec.memory_stats().used == used)
x = cuvec.ones(100_000)
print(bool((smooth(x) == x).all()), spin(0.01, threads=True) >= 0.01)
"""


@pytest.mark.parametrize("threads", [False, True])
def test_ctrl_c_ends_a_call(run_python, threads):
    output = run_python(INTERRUPTED.format(threads=threads), CUVEC_DEVICE="cpu")
    assert output.split() == ["True"] * 4


@pytest.mark.parametrize("threads", [False, True])
def test_the_exception_of_the_handler_is_raised(run_python, threads):
    code = f"""
    import _thread, signal, threading
    from package import spin
    def stop(*_):
        raise LookupError("on purpose")
    signal.signal(signal.SIGINT, stop)
    threading.Timer(0.1, _thread.interrupt_main).start()
    try:
        spin(60, threads={threads})
    except LookupError as error:
        print(error)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "on purpose"


def test_a_handler_that_does_not_raise_interrupts_nothing(run_python):
    code = """
    import _thread, signal, threading
    from package import spin
    seen = []
    signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    threading.Timer(0.1, _thread.interrupt_main).start()
    print(spin(0.5) >= 0.5, seen)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "True [1]"


def test_only_the_main_thread_is_interrupted(run_python):
    code = """
    import _thread, threading
    from package import spin
    results = []
    work = lambda: results.append(spin(0.5) >= 0.5)
    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    threading.Timer(0.1, _thread.interrupt_main).start()
    try:
        spin(60)
    except KeyboardInterrupt:
        print("interrupted")
    for worker in workers:
        worker.join()
    print(results)
    """
    assert run_python(code, CUVEC_DEVICE="cpu").splitlines() == ["interrupted", "[True, True]"]
