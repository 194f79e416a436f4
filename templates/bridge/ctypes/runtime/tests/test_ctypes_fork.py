"""Processes that fork while other threads make and drop arrays that the GPU addresses."""

import pytest


@pytest.mark.gpu
def test_children_drop_their_arrays(run_python):
    code = """
    import os, signal, threading
    from package import cuvec

    def work():
        while not stop.is_set():
            cuvec.zeros(100)

    stop, bad = threading.Event(), 0
    arrays = [cuvec.zeros(100) for _ in range(10)]
    threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)  # ends it if it hangs
            arrays.clear()
            os._exit(0)
        bad += os.waitpid(pid, 0)[1] != 0
    stop.set()
    for thread in threads:
        thread.join()
    print(bad)
    """
    assert run_python(code, PYTHONWARNINGS="ignore::DeprecationWarning") == "0"
