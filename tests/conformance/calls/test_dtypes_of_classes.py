"""Classes with dtype variables: what decides them in the constructor decides them for the object."""

import gc
import importlib
import inspect
import pydoc

import numpy as np
import pytest
from package import NAME, cuvec, module

N = 6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_argument_of_the_constructor_chooses_the_dtype(dtype):
    made = module.Averager(N, start=3, dtype=dtype)
    x = np.arange(N, dtype=dtype)
    made.add(x)
    made.add(x + 1)
    mean = made.mean()
    assert mean.dtype == dtype
    assert mean.tolist() == (x + 2).tolist()


def test_it_has_a_default():
    assert module.Averager(N, start=1).mean().dtype == "float64"


def test_objects_of_two_dtypes_live_at_once():
    made = {dtype: module.Averager(N, dtype=dtype) for dtype in ("float32", "float64")}
    for dtype, one in made.items():
        one.add(np.full(N, 1 / 3, dtype))
    for dtype, one in made.items():
        assert one.mean().tolist() == [np.dtype(dtype).type(1 / 3)] * N


def test_arrays_of_another_dtype_are_refused():
    made = module.Averager(N, dtype="float32")
    expected = (
        r"^x has dtype float64, but T of the Averager is float32; "
        r"convert it, or construct another Averager$"
    )
    with pytest.raises(TypeError, match=expected):
        made.add(np.ones(N))
    with pytest.raises(TypeError, match=r"^x has dtype int8, but T of the Averager is float32"):
        made.add(np.ones(N, "i1"))
    with pytest.raises(
        TypeError, match=r"^out has dtype float64, but T of the Averager is float32"
    ):
        made.mean(out=np.ones(N))
    made.add(np.ones(N, "f4"))
    assert made.mean().tolist() == [1] * N


@pytest.mark.parametrize("dtype", ["int16", "int32"])
@pytest.mark.parametrize("own", ["float32", "float64"])
def test_methods_have_variables_of_their_own(own, dtype):
    made = module.Averager(N, dtype=own)
    made.add_integers(np.arange(N, dtype=dtype))
    made.add_integers(np.full(N, 2, "i2"))
    assert made.mean().tolist() == ((np.arange(N) + 2) / 2).tolist()
    with pytest.raises(TypeError, match=r"^x has dtype float32, but must have int16 or int32$"):
        made.add_integers(np.ones(N, "f4"))


@pytest.mark.parametrize(("dtype", "real"), [("complex64", "float32"), ("complex128", "float64")])
def test_an_array_of_the_constructor_decides_the_dtype(dtype, real):
    x = np.array([3 + 4j, 1, 2j], dtype)
    power = module.Signal(x).power()
    assert power.dtype == real
    assert power.tolist() == [25, 1, 4]


def test_what_decides_is_checked_in_the_constructor():
    with pytest.raises(
        TypeError, match=r"^x has dtype float32, but must have complex64 or complex128$"
    ):
        module.Signal(np.ones(3, "f4"))
    with pytest.raises(TypeError, match=r"^dtype must be float32 or float64, not int32$"):
        module.Averager(N, dtype="int32")
    with pytest.raises(TypeError, match=r"^out has dtype float64, but must have float32$"):
        module.Signal(np.ones(3, "c8")).power(out=np.ones(3))


def test_dtypes_may_be_from_any_library():
    assert module.Averager(N, start=1, dtype=np.float32).mean().dtype == "float32"


@pytest.mark.library("torch")
def test_dtypes_of_pytorch_are_taken():
    torch = importlib.import_module("torch")
    device = "cpu" if cuvec.device().index is None else "cuda"
    made = module.Averager(N, dtype=torch.float32)
    made.add(torch.ones(N, device=device))
    assert made.mean().tolist() == [1] * N


def test_scalars_are_read_in_the_dtype_of_the_object():
    with pytest.raises(TypeError, match=r"^start must be a number"):
        module.Averager(1, start="one")


def test_objects_end_whatever_their_dtype():
    gc.collect()
    cuvec.dev_sync()
    count, used = getattr(module, "counted", int)(), cuvec.memory_stats().used
    for dtype in ("float32", "float64"):
        with module.Averager(1 << 16, dtype=dtype) as made:
            assert cuvec.memory_stats().used >= used + (np.dtype(dtype).itemsize << 16)
            assert not made.closed
    cuvec.dev_sync()
    assert (getattr(module, "counted", int)(), cuvec.memory_stats().used) == (count, used)


def test_an_object_says_what_it_is_for():
    place = "on the CPU" if cuvec.device().index is None else f"on GPU {cuvec.device().index}"
    made = module.Averager(N, dtype="float32")
    assert repr(made) == f"<{NAME}.Averager float32 {place}>"
    made.close()
    assert repr(made) == f"<{NAME}.Averager closed>"


def test_signatures_and_help():
    text = "(n, *, start=0, dtype='float64', stream=None)"
    assert str(inspect.signature(module.Averager)) == text
    assert str(inspect.signature(module.Averager.mean)) == "(self, /, *, out=None, stream=None)"
    text = pydoc.plain(pydoc.render_doc(module.Averager))
    for part in (
        "dtype : {'float32', 'float64'} or such a dtype, default 'float64'",
        "Declared as ``add(x: T(n))``.",
        "`T` is float32 or float64, as the Averager was constructed for.",
        "`U` is int16 or int32.",
    ):
        assert part in text


@pytest.mark.gpu
def test_methods_of_two_dtypes_on_a_stream(stream):
    for dtype in ("float32", "float64"):
        made = module.Averager(1 << 18, dtype=dtype, stream=stream)
        x, y = cuvec.ones(1 << 18, dtype), cuvec.zeros(1 << 18, dtype)
        for _ in range(4):
            made.add(x, stream=stream)
        made.mean(out=y, stream=stream)
        del made
        cuvec.dev_sync()
        assert (y == 1).all()
