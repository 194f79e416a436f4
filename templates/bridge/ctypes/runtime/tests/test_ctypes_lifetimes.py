"""Memory that C owns and Python holds: at the end of objects, of cycles and of the interpreter."""

import ctypes
import gc
import weakref

import capsules
import numpy as np
import pytest
from exporters import Dlpack
from native_modules import modules
from package import core, cuvec, dot


class AtItsEnd:
    """Reads what it holds when the garbage collector takes it."""

    def __init__(self, view, seen):
        self.view = view
        self.seen = seen
        self.itself = self

    def __del__(self):
        self.other = cuvec.full(100, 99, "u1")  # in the same place, had it been freed
        self.seen.append(bytes(self.view))


def test_memory_in_a_cycle_is_there_for_finalizers():
    seen = []
    gc.collect()
    for number in range(10):
        x = cuvec.full(100, number, "u1")
        AtItsEnd(memoryview(x.cuvec), seen)
        del x
    gc.collect()
    assert sorted(seen) == [bytes([number]) * 100 for number in range(10)]


@pytest.mark.usefixtures("no_garbage")
def test_a_buffer_that_was_not_made_is_refused():
    before = cuvec.memory_stats()
    empty = object.__new__(core.Buffer)
    for use in (memoryview, lambda it: dot(it, it), lambda it: it.shape, core.Buffer.wait, repr):
        with pytest.raises((ValueError, SystemError)):
            use(empty)
    del empty
    assert cuvec.memory_stats() == before


def test_a_buffer_is_given_back_after_the_call():
    lent = bytearray(24)
    assert dot(memoryview(lent).cast("f"), cuvec.ones(6)) == 0
    lent.clear()  # a BufferError while it is lent


@pytest.mark.usefixtures("no_garbage")
def test_a_dlpack_tensor_is_given_back_after_the_call():
    lender = Dlpack(cuvec.ones(6))
    used = cuvec.memory_stats().used
    for _ in range(10):
        assert dot(lender, lender) == 6
        with pytest.raises(ValueError, match="shape"):
            dot(lender, cuvec.zeros(1))
        with pytest.raises(TypeError):
            dot(lender, None)
    del lender
    assert cuvec.memory_stats().used < used


def test_nothing_keeps_an_argument_after_the_call():
    class Own(np.ndarray):
        pass

    for make in (lambda: np.ones(4).view(Own), lambda: cuvec.ones(4, "f8").view(Own)):
        x = make()
        gone = weakref.ref(x)
        assert dot(x, x) == 4
        with pytest.raises(TypeError):
            dot(x, None)
        del x
        assert gone() is None


@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_names_of_capsules_are_not_pythons(max_version):
    """The interpreter frees what is Python's before the last capsule."""
    capsule = cuvec.zeros(3).__dlpack__(max_version=max_version)
    name_of = capsules.function("PyCapsule_GetName", ctypes.c_void_p, ctypes.py_object)
    name = "core_py_dltensor" if max_version is None else "core_py_dltensor_versioned"
    assert name_of(capsule) == ctypes.addressof(ctypes.c_char.in_dll(modules.library.library, name))


@pytest.mark.parametrize("place", ["builtins", "sys", "threading"])
def test_the_interpreter_ends_well_with_arrays_and_capsules_alive(place, run_python):
    code = f"""
    import {place}
    from package import cuvec
    x = cuvec.ones(1000)
    {place}.kept = [x, x.cuvec, memoryview(x.cuvec), x[2:], x.pointer()]
    {place}.capsules = [x.__dlpack__(), x.__dlpack__(max_version=(1, 0))]
    {place}.cycle = [cuvec.zeros(10).__dlpack__()]
    {place}.cycle.append({place}.cycle)
    """
    assert run_python(code) == ""
