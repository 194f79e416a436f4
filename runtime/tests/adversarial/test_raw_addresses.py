"""No integer from Python code is used as an address, and no object as a buffer that it is not."""

import numpy as np
import pytest
from package import core, cuvec, dot, module


def test_a_buffer_without_memory_is_refused():
    for make in (core.Buffer.__new__, object.__new__):
        try:
            block = make(core.Buffer)
        except TypeError:
            continue
        for use in (memoryview, lambda it: dot(it, it), lambda it: it.shape, core.Buffer.wait):
            with pytest.raises((TypeError, ValueError, BufferError, SystemError)):
                use(block)


@pytest.mark.parametrize(
    ("source", "cls", "memory"),
    [
        (np.full(3, None), cuvec.CuVec, "managed"),
        (np.zeros(3, [("a", "O")]), cuvec.CuVec, "managed"),
        (np.zeros(3), np.ndarray, "managed"),
        (np.zeros(3), 7, "managed"),
        ([1, 2], cuvec.CuVec, "managed"),
    ],
)
def test_pickles_of_other_objects_are_refused(source, cls, memory):
    with pytest.raises(TypeError):
        module.cuvec.copying.restore(source, cls, memory)


def test_no_function_takes_an_integer_for_an_array(run_python):
    """All native functions and methods, called with integers, raise exceptions and nothing worse."""
    code = """
    import contextlib
    import itertools
    from package import core, cuvec

    block = cuvec.ones(4).cuvec
    numbers = [0, 1, 8, 2**47, 2**64 - 8, -1]
    functions = [getattr(core, name) for name in dir(core) if not name.startswith("__")]
    functions += [getattr(block, name) for name in dir(block) if not name.startswith("__")]
    for function in filter(callable, functions):
        for count in range(5):
            for arguments in itertools.product(numbers, repeat=min(count, 3)):
                with contextlib.suppress(Exception):
                    function(*arguments, *[7] * (count - 3))
    print(cuvec.ones(4).sum())
    """
    assert run_python(code) == "4.0"
