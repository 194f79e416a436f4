"""Calls and arrays while the interpreter is shutting down."""

import pytest
from package import NAME


@pytest.mark.parametrize("where", ["sys", "builtins", "__main__"])
def test_the_first_call_may_be_the_last_thing_of_all(run_python, where):
    """Then modules are gone, and nothing can be imported any more."""
    code = """
    import os
    import numpy as np
    from package import dot

    class Foreign:
        def __init__(self, array):
            self.array = array
            self.__dlpack__ = array.__dlpack__
            self.__dlpack_device__ = array.__dlpack_device__

    class Last:
        def __init__(self):
            self.write, self.dot = os.write, dot
            array = np.ones(3)
            self.arguments = [array, memoryview(array), Foreign(array)]

        def __del__(self):
            for x in self.arguments:
                self.write(1, b"%d " % self.dot(x, x))

    setattr(__import__(os.environ["WHERE"]), "last", Last())
    """
    assert run_python(code, CUVEC_DEVICE="cpu", WHERE=where) == "3 3 3"


@pytest.mark.parametrize("place", ["builtins", "sys", "threading"])
def test_arrays_and_capsules_may_outlive_the_package(place, run_python):
    code = f"""
    import {place}
    from package import cuvec
    x = cuvec.ones(1000)
    {place}.alive = [x, x.cuvec, memoryview(x.cuvec), x[2:], x.pointer()]
    {place}.capsules = [x.__dlpack__(), x.__dlpack__(max_version=(1, 0))]
    {place}.cycle = [cuvec.zeros(10).__dlpack__()]
    {place}.cycle.append({place}.cycle)
    """
    assert run_python(code) == ""


def test_arrays_may_outlive_the_native_module(run_python):
    code = f"""
    import atexit, sys, threading
    from package import core, cuvec
    x = cuvec.ones(1000)
    view, capsule = memoryview(x.cuvec), x.__dlpack__()
    cycle = [x]
    cycle.append(cycle)
    sys.modules["alive"] = x.cuvec
    atexit.register(lambda: cuvec.zeros(3))
    local = threading.local()
    local.buffer = core.Buffer((3,), "<f4", "managed", True)
    del sys.modules[core.__name__], sys.modules["{NAME}"]
    print("done")
    """
    assert run_python(code) == "done"


@pytest.mark.parametrize("call", ["axpy(1e-9, x, y)", "gemv(a, b)", "axpy(1, 2, 3)"])
def test_daemon_threads_may_be_in_calls(call, run_python):
    """Python ends them where they wait for the GIL, inside of a call. One that makes an array, or is given none, runs Python code."""
    code = f"""
    import contextlib, threading, time
    from package import axpy, cuvec, gemv
    x, y = cuvec.ones(1 << 18), cuvec.zeros(1 << 18)
    a, b = cuvec.ones((3, 3)), cuvec.ones(3)
    def work():
        while True:
            with contextlib.suppress(TypeError):
                {call}
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.2)
    print("done")
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == "done"


def test_daemon_threads_may_be_in_exporters(run_python):
    """In Python code that a call runs, waiting for an interpreter that is gone."""
    code = """
    import threading, time
    from package import core, cuvec, dot
    x = cuvec.ones(1000)
    class Exporter:
        def __dlpack__(self, **arguments):
            time.sleep(0)
            return x.__dlpack__(**arguments)
        def __dlpack_device__(self):
            time.sleep(0)
            return x.__dlpack_device__()
    def work():
        while True:
            dot(Exporter(), Exporter())
            core.Buffer((3,), "<f4", "managed", True)
    for _ in range(8):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    """
    assert run_python(code) == ""


@pytest.mark.parametrize("place", ["builtins", "sys", "threading", "__main__"])
def test_objects_may_outlive_the_package(place, run_python):
    code = f"""
    import {place}
    import numpy as np
    from package import module
    made = module.Filter(np.ones(1, "f4"), 4)
    {place}.alive = [made, made.total, module.Filter(np.ones(1, "f4"), 4)]
    {place}.alive.append({place}.alive)

    class Last:
        def __del__(self, made=made):
            made.close()

    {place}.last = Last()
    """
    assert run_python(code) == ""


def test_a_method_runs_on_while_the_interpreter_ends(run_python):
    code = """
    import threading, time
    import numpy as np
    from package import module
    made = module.Filter(np.ones(1, "f4"), 4)
    threading.Thread(target=made.sleep, args=(0.5,), daemon=True).start()
    time.sleep(0.1)
    """
    assert run_python(code) == ""
