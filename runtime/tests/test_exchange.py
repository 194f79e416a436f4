"""Arrays whose class offers C functions, as PyTorch's does: DLPack without calls of Python."""

import ctypes

import exchange
import numpy as np
import pytest
from exchange import (
    LENDING,
    export,
    exporter_of,
    fail,
    fail_later,
    fail_without_a_reason,
    functions,
    lend,
    lend_and_fail_later,
    no_tensor,
)
from package import axpy, cuvec, dot, gemv

USED = ("managed_tensor_from_py_object_no_sync", "current_work_stream")


@pytest.fixture(autouse=True, params=[False, True], ids=["", "no gradients"])
def _gradients(request, monkeypatch):
    """Arrays that say that they have no gradients are read in a shorter way."""
    monkeypatch.setattr(exchange, "says_so", request.param)


@pytest.fixture
def y():
    return cuvec.full(3, 2, "f4")


def test_functions_come_before_methods(y):
    exporter = exporter_of(y, functions(export))
    axpy(0.5, cuvec.ones(3), exporter)
    assert dot(exporter, exporter) == 3 * 2.5**2
    assert y.tolist() == [2.5, 2.5, 2.5]
    assert exporter.asked == 0


def test_the_tensor_is_given_back():
    before = cuvec.memory_stats().used
    exporter = exporter_of(cuvec.ones(1 << 20), functions(export))
    dot(exporter, exporter)
    del exporter.array
    assert cuvec.memory_stats().used == before


@pytest.mark.parametrize("chained", [False, True])
def test_functions_of_our_version_are_found(y, chained):
    ours = functions(export)
    theirs = functions(fail, major=2, previous=ours if chained else None)
    exporter = exporter_of(y, theirs)
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.asked == (0 if chained else 1)


def test_a_circle_of_versions_ends(y):
    table = functions(fail, major=2)
    table.previous = ctypes.addressof(table)
    assert dot(exporter_of(y, table), cuvec.ones(3)) == 6


def test_exceptions_are_passed_on(y):
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter_of(y, functions(fail)), y)


@pytest.mark.parametrize("broken", [no_tensor, fail_without_a_reason])
def test_failures_without_an_exception_are_errors(y, broken):
    with pytest.raises(BufferError):
        dot(exporter_of(y, functions(broken)), y)


def test_capsules_of_another_name_are_refused(y):
    with pytest.raises(ValueError, match="PyCapsule_GetPointer"):
        dot(exporter_of(y, functions(export), b"something_else"), y)


def test_other_things_than_a_capsule_are_refused(y):
    exporter = exporter_of(y, functions(export))
    type(exporter).__dlpack_c_exchange_api__ = "functions"
    with pytest.raises(ValueError, match="PyCapsule_GetPointer"):
        dot(exporter, y)


def test_none_offers_no_functions(y):
    exporter = exporter_of(y, functions(fail))
    type(exporter).__dlpack_c_exchange_api__ = None
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.asked == 1


@pytest.mark.parametrize("missing", USED)
def test_methods_stand_in_for_missing_functions(y, missing):
    table = functions(export)
    setattr(table, missing, None)
    exporter = exporter_of(y, table)
    axpy(0.5, cuvec.ones(3), exporter)
    assert y.tolist() == [2.5, 2.5, 2.5]
    assert exporter.asked == 1


def test_an_exporter_has_the_methods_as_well(y):
    exporter = exporter_of(y, functions(fail))
    del type(exporter).__dlpack__
    with pytest.raises(TypeError, match="x must be an array, not Exporter"):
        dot(exporter, y)


@pytest.mark.parametrize("requires_grad", [True, 1])
def test_gradients_are_not_lost(y, requires_grad):
    def refuse(**_arguments):
        raise BufferError("it requires a gradient")

    exporter = exporter_of(y, functions(export))
    exporter.requires_grad = requires_grad
    exporter.__dlpack__ = refuse
    for x_and_y in ((cuvec.ones(3), exporter), (exporter, cuvec.ones(3))):
        with pytest.raises(BufferError, match="it requires a gradient"):
            axpy(1, *x_and_y)
    assert y.tolist() == [2, 2, 2]


def test_the_method_decides_about_gradients(y):
    exporter = exporter_of(y, functions(fail))
    exporter.requires_grad = True
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.asked == 1


def test_arrays_without_gradients_are_taken_by_the_functions(y):
    exporter = exporter_of(y, functions(export))
    exporter.requires_grad = False
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.asked == 0


def test_exceptions_about_gradients_are_passed_on(y):
    exporter = exporter_of(y, functions(export))
    type(exporter).requires_grad = property(type(exporter).fileno)
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter, y)


def use(array):
    """Pass it to a function that takes its dtype."""
    x = cuvec.ones(array.array.shape[-1], array.array.dtype)
    return gemv(array, x, beta=0) if array.array.ndim == 2 else dot(array, x)


CAN_HAVE_OTHER_VALUES = {
    "conjugates": (cuvec.ones((3, 2), "complex64"), "is_conj"),
    "a negative": (cuvec.ones(1), "is_neg"),
    "negatives": (cuvec.ones((3, 2)).T, "is_neg"),
}


@pytest.mark.parametrize("case", CAN_HAVE_OTHER_VALUES)
def test_other_values_than_those_in_memory_are_refused(case):
    array, question = CAN_HAVE_OTHER_VALUES[case]
    exporter = exporter_of(array, functions(export))
    setattr(exporter, question, lambda: True)
    with pytest.raises(BufferError, match=r"resolve_conj\(\)\.resolve_neg\(\)"):
        use(exporter)


@pytest.mark.parametrize("case", ["conjugates", "a negative"])
def test_the_values_in_memory_are_taken(case):
    array, question = CAN_HAVE_OTHER_VALUES[case]
    exporter = exporter_of(array, functions(export))
    setattr(exporter, question, lambda: False)
    np.testing.assert_array_equal(use(exporter), np.sum(array, axis=-1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arrays_that_can_have_no_other_values_are_not_asked(dtype):
    exporter = exporter_of(cuvec.ones((3, 2), dtype), functions(export))
    exporter.is_conj = exporter.is_neg = exporter.fileno
    np.testing.assert_array_equal(use(exporter), [2, 2, 2])


def test_exceptions_about_other_values_are_passed_on():
    exporter = exporter_of(cuvec.ones(1), functions(export))
    exporter.is_neg = exporter.fileno
    with pytest.raises(KeyError, match="a reason"):
        use(exporter)


def test_deleters_are_called_once(y):
    exporter = exporter_of(y, functions(lend))
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.given_back == [ctypes.addressof(exporter.lent)]


def test_deleters_see_no_exception_of_another_argument(y):
    exporter = exporter_of(y, functions(lend))
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter, exporter_of(y, functions(fail)))
    assert exporter.given_back == [ctypes.addressof(exporter.lent)]


def test_versions_that_are_too_new_are_given_back(y):
    exporter = exporter_of(y, functions(lend))
    exporter.major = 2
    with pytest.raises(BufferError):
        dot(exporter, y)
    assert exporter.given_back == [ctypes.addressof(exporter.lent)]


@pytest.mark.gpu  # there are no streams for memory of the host
def test_exceptions_about_the_stream_are_passed_on(y):
    table = functions(lend_and_fail_later)
    table.current_work_stream = ctypes.cast(fail_later, ctypes.c_void_p)
    exporter = exporter_of(y, table)
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter, y)
    assert exporter.given_back == [ctypes.addressof(exporter.lent)]


@pytest.mark.parametrize("stream", [None, 1])
def test_memory_of_the_host_is_shared(run_python, stream):
    """Another thread may replace it during the call, and it is freed at once."""
    code = f"""
    x, y = (tensor(OnHost(cuvec.ones(3))) for _ in range(2))
    axpy(2, x, y, stream={stream})
    assert y.array.array.tolist() == [3, 3, 3]
    for it in x, y:
        assert it.handed_out[-1] == "share" and len(it.given_back) == 1, it.handed_out
    """
    assert run_python(LENDING + code.replace("\n    ", "\n")) == ""


def test_a_loan_does_not_say_that_its_memory_is_read_only(run_python):
    code = """
    Tensor.__module__ = "another"
    y = tensor()
    y.flags = 1
    try:
        axpy(2, cuvec.ones(3), y, stream=1)
    except ValueError as error:
        print(error)
    assert y.array.tolist() == [1, 1, 1]
    """
    before = LENDING.replace('Tensor.__module__ = "torch"\n', "")
    said = run_python(before + code.replace("\n    ", "\n"))
    assert said == "y is written to, but it is read-only"
