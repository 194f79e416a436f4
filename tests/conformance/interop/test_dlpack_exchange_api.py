"""Arrays with DLPack's C exchange API, as PyTorch's: exported without a call of Python."""

import ctypes

import exchange
import numpy as np
import pytest
from exchange import (
    FAKE_TORCH,
    export,
    export_and_fail_later,
    export_with_deleter,
    exporter_of,
    fail,
    fail_later,
    fail_without_a_reason,
    functions,
    no_tensor,
)
from package import axpy, cuvec, dot, gemv

USED = ("managed_tensor_from_py_object_no_sync", "current_work_stream")


@pytest.fixture(autouse=True, params=[False, True], ids=["", "no gradients"])
def _gradients(request, monkeypatch):
    """Arrays whose class has `requires_grad = False` take a shorter path."""
    monkeypatch.setattr(exchange, "without_gradients", request.param)


@pytest.fixture
def y():
    return cuvec.full(3, 2, "f4")


def test_c_functions_are_preferred_to_methods(y):
    exporter = exporter_of(y, functions(export))
    axpy(0.5, cuvec.ones(3), exporter)
    assert dot(exporter, exporter) == 3 * 2.5**2
    assert y.tolist() == [2.5, 2.5, 2.5]
    assert exporter.dlpack_calls == 0


def test_the_tensor_is_released():
    before = cuvec.memory_stats().used
    exporter = exporter_of(cuvec.ones(1 << 20), functions(export))
    dot(exporter, exporter)
    del exporter.array
    assert cuvec.memory_stats().used == before


@pytest.mark.parametrize("chained", [False, True])
def test_functions_of_a_supported_version_are_found(y, chained):
    supported = functions(export)
    newer = functions(fail, major=2, previous=supported if chained else None)
    exporter = exporter_of(y, newer)
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.dlpack_calls == (0 if chained else 1)


def test_a_cycle_of_versions_ends(y):
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


def test_none_is_no_exchange_api(y):
    exporter = exporter_of(y, functions(fail))
    type(exporter).__dlpack_c_exchange_api__ = None
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.dlpack_calls == 1


@pytest.mark.parametrize("missing", USED)
def test_methods_replace_missing_functions(y, missing):
    table = functions(export)
    setattr(table, missing, None)
    exporter = exporter_of(y, table)
    axpy(0.5, cuvec.ones(3), exporter)
    assert y.tolist() == [2.5, 2.5, 2.5]
    assert exporter.dlpack_calls == 1


def test_the_methods_are_required_too(y):
    exporter = exporter_of(y, functions(fail))
    del type(exporter).__dlpack__
    with pytest.raises(TypeError, match="x must be an array, not Exporter"):
        dot(exporter, y)


@pytest.mark.parametrize("requires_grad", [True, 1])
def test_a_refusal_to_drop_gradients_is_passed_on(y, requires_grad):
    def refuse(**_arguments):
        raise BufferError("it requires a gradient")

    exporter = exporter_of(y, functions(export))
    exporter.requires_grad = requires_grad
    exporter.__dlpack__ = refuse
    for x_and_y in ((cuvec.ones(3), exporter), (exporter, cuvec.ones(3))):
        with pytest.raises(BufferError, match="it requires a gradient"):
            axpy(1, *x_and_y)
    assert y.tolist() == [2, 2, 2]


def test_arrays_with_gradients_are_exported_by_the_method(y):
    exporter = exporter_of(y, functions(fail))
    exporter.requires_grad = True
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.dlpack_calls == 1


def test_arrays_without_gradients_are_exported_by_the_functions(y):
    exporter = exporter_of(y, functions(export))
    exporter.requires_grad = False
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.dlpack_calls == 0


def test_exceptions_about_gradients_are_passed_on(y):
    exporter = exporter_of(y, functions(export))
    type(exporter).requires_grad = property(type(exporter).fileno)
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter, y)


def use(array):
    """Pass it to a function that takes its dtype."""
    x = cuvec.ones(array.array.shape[-1], array.array.dtype)
    return gemv(array, x, beta=0) if array.array.ndim == 2 else dot(array, x)


LAZY_VALUES = {
    "conjugates": (cuvec.ones((3, 2), "complex64"), "is_conj"),
    "a negative": (cuvec.ones(1), "is_neg"),
    "negatives": (cuvec.ones((3, 2)).T, "is_neg"),
}


@pytest.mark.parametrize("case", LAZY_VALUES)
def test_lazy_conjugates_and_negatives_are_refused(case):
    array, query = LAZY_VALUES[case]
    exporter = exporter_of(array, functions(export))
    setattr(exporter, query, lambda: True)
    with pytest.raises(BufferError, match=r"resolve_conj\(\)\.resolve_neg\(\)"):
        use(exporter)


@pytest.mark.parametrize("case", ["conjugates", "a negative"])
def test_resolved_conjugates_and_negatives_are_taken(case):
    array, query = LAZY_VALUES[case]
    exporter = exporter_of(array, functions(export))
    setattr(exporter, query, lambda: False)
    np.testing.assert_array_equal(use(exporter), np.sum(array, axis=-1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_arrays_that_cannot_be_lazy_are_not_queried(dtype):
    exporter = exporter_of(cuvec.ones((3, 2), dtype), functions(export))
    exporter.is_conj = exporter.is_neg = exporter.fileno
    np.testing.assert_array_equal(use(exporter), [2, 2, 2])


def test_exceptions_of_is_neg_are_passed_on():
    exporter = exporter_of(cuvec.ones(1), functions(export))
    exporter.is_neg = exporter.fileno
    with pytest.raises(KeyError, match="a reason"):
        use(exporter)


def test_deleters_are_called_once(y):
    exporter = exporter_of(y, functions(export_with_deleter))
    assert dot(exporter, cuvec.ones(3)) == 6
    assert exporter.deleted == [ctypes.addressof(exporter.exported)]


def test_deleters_see_no_exception_of_another_argument(y):
    exporter = exporter_of(y, functions(export_with_deleter))
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter, exporter_of(y, functions(fail)))
    assert exporter.deleted == [ctypes.addressof(exporter.exported)]


def test_tensors_of_newer_versions_are_released(y):
    exporter = exporter_of(y, functions(export_with_deleter))
    exporter.major = 2
    with pytest.raises(BufferError):
        dot(exporter, y)
    assert exporter.deleted == [ctypes.addressof(exporter.exported)]


@pytest.mark.gpu  # host memory has no stream
def test_exceptions_of_the_stream_are_passed_on(y):
    table = functions(export_and_fail_later)
    table.current_work_stream = ctypes.cast(fail_later, ctypes.c_void_p)
    exporter = exporter_of(y, table)
    with pytest.raises(KeyError, match="a reason"):
        dot(exporter, y)
    assert exporter.deleted == [ctypes.addressof(exporter.exported)]


@pytest.mark.parametrize("stream", [None, 1])
def test_tensors_in_host_memory_are_owned(run_python, stream):
    """Another thread may replace the memory during the call, which frees it at once."""
    code = f"""
    x, y = (tensor(OnHost(cuvec.ones(3))) for _ in range(2))
    axpy(2, x, y, stream={stream})
    assert y.array.array.tolist() == [3, 3, 3]
    for it in x, y:
        assert it.exports[-1] == "owned" and len(it.deleted) == 1, it.exports
    """
    assert run_python(FAKE_TORCH + code.replace("\n    ", "\n")) == ""


def test_read_only_tensors_are_not_written(run_python):
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
    before = FAKE_TORCH.replace('Tensor.__module__ = "torch"\n', "")
    message = run_python(before + code.replace("\n    ", "\n"))
    assert message == "y is written to, but it is read-only"
