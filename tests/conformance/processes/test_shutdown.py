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


CALLBACKS = {  # methods of an object that a call runs, in a class whose methods all wait
    "float": ("__float__ = lambda self: wait(1.0)", "axpy(Slow(), x, y)"),
    "index": ("__index__ = lambda self: wait(0)", "cuvec.dev_set(Slow())"),
    "complex": ("__complex__ = lambda self: wait(1j)", "fill(z, Slow())"),
    "length": ("__len__ = lambda self: wait(0)", "strided_sums(m, Slow())"),
    "item": (
        "__len__ = lambda self: 2; __getitem__ = lambda self, index: wait(1)",
        "strided_sums(m, Slow())",
    ),
    "methods of no number": ("__getattr__ = lambda self, name: wait(1)", "axpy(Slow(), x, y)"),
    "name of a dtype": ("__str__ = lambda self: wait('float16')", "astype(f, dtype=Slow())"),
    "member of a struct": (
        "__getitem__ = lambda self, name: wait(GRID[name])",
        "spawn(f, Slow(GRID))",
    ),
    "stream": ("__cuda_stream__ = lambda self: wait((0, 0))", "dot(x, x, stream=Slow())"),
    "handle": ("__getattr__ = lambda self, name: wait(0)", "dot(x, x, stream=Slow())"),
    "keyword": (
        "__eq__ = lambda self, other: wait(False); __hash__ = str.__hash__",
        "dot(x, **{Slow('y'): x})",
    ),
    "shape": (
        (
            "shape = property(lambda self: dict(shape=self, typestr='<f8', data=(1, False), version=3));"
            "__len__ = lambda self: 1; __getitem__ = lambda self, index: wait(absent(index));"
            "__cuda_array_interface__ = shape"
        ),
        "dot(Slow(), x)",
    ),
    "array": ("__array__ = lambda self, *a, **k: wait(x)", "dot(Slow(), x)"),
    "numpys subclass": (
        "__array_finalize__ = None; __getattr__ = lambda self, name: wait(absent(1))",
        "dot(n.view(Slow), x)",
    ),
    "finalizer": ("__del__ = lambda self: wait(None)", "dot(Made(lambda: Slow(800)), x)"),
    "flag": (
        "dtype = np.dtype(bool); __bool__ = lambda self: wait(True)",
        "fill(b, Slow())",
    ),
}


@pytest.mark.parametrize("callback", CALLBACKS)
def test_daemon_threads_may_be_in_what_a_call_asks_of_an_object(callback, run_python):
    """Whatever is asked of it: the thread waits there for an interpreter that is gone."""
    body, call = CALLBACKS[callback]
    base = {"member of a struct": "dict", "keyword": "str", "finalizer": "bytearray"}.get(
        callback, "object"
    )
    base = "np.ndarray" if callback == "numpys subclass" else base
    code = f"""
    import contextlib, threading, time
    import numpy as np
    from package import astype, axpy, cuvec, dot, fill, spawn, strided_sums
    x, y, n, f = cuvec.ones(100), cuvec.zeros(100), np.ones(100), np.ones(3, "f4")
    m, z, b = np.ones((3, 4)), np.zeros(3, "c16"), np.zeros(3, bool)
    GRID = dict(spacing=(1.0,) * 3, rotation=((1, 2), (3, 4)), periodic=False, size=3)
    def wait(answer):
        time.sleep(0)
        return answer
    def absent(index):
        if index:
            raise AttributeError if index is True else IndexError
        return 100
    class Slow({base}):
        {body}
    class Made:
        def __init__(self, make):
            self.make = make
        def __array__(self, *args, **kwargs):
            return np.frombuffer(self.make())
    def work():
        while True:
            with contextlib.suppress(TypeError, ValueError, AttributeError, RuntimeError):
                {call}
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == ""


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


@pytest.mark.parametrize("where", ["export", "deleter"])
def test_daemon_threads_may_be_in_functions_for_c_of_another_library(where, run_python):
    code = f"""
    import threading, time
    import exchange
    from package import cuvec, dot
    x = cuvec.ones(1000)
    @exchange.EXPORT
    def export(exporter, tensor):
        time.sleep(0)
        return exchange.export(exporter, tensor)
    chosen = {{"export": export, "deleter": exchange.export_with_deleter}}["{where}"]
    table = exchange.functions(chosen)
    def work():
        exporter = exchange.exporter_of(x, table)
        exporter.deleter = exchange.DELETER(lambda _tensor: time.sleep(0))
        while True:
            dot(exporter, x)
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.1)
    """
    assert run_python(code, CUVEC_DEVICE="cpu") == ""
