"""JAX: arrays in and out, which are never written to, and the calls in programs that the native module makes."""

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import package
import pytest
from jax.errors import JaxRuntimeError
from package import NAME, axpy, cuvec, dot

DTYPES = ["float32", "float16", "bfloat16", "int8", "int16", "int32", "uint8", "uint16", "uint32"]
SMALL_FLOATS = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]


@pytest.mark.parametrize("memory", ["managed", "pinned"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_shares_our_memory(dtype, memory):
    x = cuvec.ones((64, 64), dtype, memory)
    y = jnp.from_dlpack(x)
    assert (y.unsafe_buffer_pointer(), y.shape, y.dtype) == (x.ptr, x.shape, x.dtype)
    assert int(y.sum()) == 64 * 64


def test_jax_keeps_the_memory_alive():
    y = jnp.from_dlpack(cuvec.full(1000, 7))
    cuvec.zeros(1000)
    assert bool((y == 7).all())


def test_functions_read_jaxs_arrays():
    x, y = jnp.arange(1000, dtype="float32"), cuvec.ones(1000)
    axpy(2, x, y)
    np.testing.assert_array_equal(y, 2 * np.arange(1000) + 1)
    assert dot(x, x) == sum(i * i for i in range(1000))


def test_new_arrays_are_jaxs():
    """So a function that is written with them once serves NumPy and JAX, in `jax.jit` and `jax.grad` too."""
    a, x = jnp.ones((3, 4), "float32"), jnp.arange(4, dtype="float32")
    y = package.module.gemv(a, np.arange(4, dtype="f4"))
    assert isinstance(y, jax.Array)
    np.testing.assert_array_equal(y, package.module.gemv(np.asarray(a), np.asarray(x)))
    np.testing.assert_array_equal(jax.jit(package.module.gemv)(a, x), y)
    total = jax.grad(lambda x: package.module.cube(x, a=2).sum())
    np.testing.assert_allclose(total(x), 6 * np.arange(4) ** 2)


def test_what_jax_cannot_take_is_a_cuvec():
    a, x, y = jnp.ones((3, 4), "float32"), jnp.ones(4, "float32"), cuvec.empty(3)
    assert package.module.gemv(a, x, out=y) is y
    assert type(dot(x, x)) is float  # and not rounded to float32


def test_a_traced_array_is_not_written():
    with pytest.raises(Exception, match=r"^axpy\(\) writes its arguments"):
        jax.jit(lambda y: axpy(1, cuvec.ones(3), y))(jnp.zeros(3, "float32"))


def test_functions_do_not_write_to_jaxs_arrays():
    y = jnp.zeros(10, "float32")
    message = rf"^axpy\(\) writes its arguments, and .* call {NAME}\.jax\.axpy, which returns them"
    with pytest.raises(TypeError, match=message):
        axpy(1, cuvec.ones(10), y)
    with pytest.raises(ValueError, match="out is written to, but it is read-only"):
        package.module.cube(np.ones(10, "f4"), out=y)
    assert not y.any()


def test_calls_wait_for_jax():
    x, y = jnp.zeros(1 << 20, "float32"), cuvec.zeros(1 << 20)
    increment = jax.jit(lambda x: x + 1)
    for _ in range(20):
        x = increment(x)
        axpy(1, x, y)
    assert (y == 210).all()


def test_jaxs_arrays_are_copied_by_asarray():
    x = jnp.arange(6, dtype="int32").reshape(2, 3)
    y = cuvec.asarray(x)
    assert (type(y), y.dtype) == (cuvec.CuVec, np.int32)
    np.testing.assert_array_equal(y, [[0, 1, 2], [3, 4, 5]])


functions = importlib.import_module(f"{NAME}.jax")
handler = importlib.import_module(f"{NAME}.cuvec.jax.handler")


@pytest.fixture
def calls(monkeypatch):
    """Record the calls that Python makes."""
    made = []
    run = handler.Handler._run

    def counted(self, frame):
        made.append(frame)
        run(self, frame)

    monkeypatch.setattr(handler.Handler, "_run", counted)
    return made


@pytest.mark.parametrize("number", [2, -2, True, 0.1, -0.0, float("inf"), float("nan"), 2**53 + 2])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_real_scalars(number, dtype, calls):
    with jax.enable_x64(True):
        x = np.arange(1, 6, dtype=dtype)
        y = functions.axpy(number, jnp.asarray(x), jnp.zeros(5, dtype))
        np.testing.assert_array_equal(y, np.asarray(number, dtype) * x)
    assert not calls


@pytest.mark.parametrize(
    "dtype", ["?", "b", "H", "i", "q", "Q", "e", "f", "d", "F", "D", *SMALL_FLOATS]
)
def test_scalars_of_any_dtype(dtype, calls):
    number = {"b": -128, "Q": 2**64 - 1, "D": 0.1 - 2j, "F": 1j, "e": 0.5}.get(dtype, 1)
    with jax.enable_x64(True):
        y = functions.fill(jnp.zeros((2, 3), dtype), number)
        np.testing.assert_array_equal(y, np.full((2, 3), number, dtype))
    assert not calls


def test_sizes_results_and_inout_arguments(calls):
    x = np.linspace(0, 1, 100, dtype="f4")
    found = jax.jit(lambda x: functions.histogram(x, 7, low=0.25, high=0.75))(x)
    np.testing.assert_array_equal(found, package.histogram(x, 7, low=0.25, high=0.75))
    a, b = jax.jit(functions.swap)(jnp.arange(3), jnp.arange(3, 6))
    assert (a.tolist(), b.tolist()) == ([3, 4, 5], [0, 1, 2])
    found = functions.axpy(2, jnp.ones((0, 3)), jnp.ones((0, 3)))
    assert found.shape == (0, 3)
    assert not calls


def test_vmap_is_one_call_where_there_are_leading_dimensions(calls):
    x, weight = np.random.default_rng(0).random((4, 3, 5), "f4"), np.linspace(0, 1, 5, dtype="f4")
    expected = package.rms_norm(x, weight)
    mapped = jax.vmap(jax.vmap(lambda x: functions.rms_norm(x, weight)))
    np.testing.assert_array_equal(jax.jit(mapped)(x), expected)
    np.testing.assert_array_equal(jax.vmap(functions.rms_norm, (1, None), 1)(x, weight), expected)
    y = jax.vmap(functions.axpy, (None, 0, None))(2.0, x, x[0])
    np.testing.assert_array_equal(y, 2 * x + x[0])
    assert not calls


def test_vmap_is_one_call_with_a_loop_in_it(calls):
    a, x = np.random.default_rng(0).random((4, 2, 3), "f4"), np.arange(15, dtype="f4").reshape(5, 3)
    mapped = jax.vmap(jax.vmap(lambda a, x: functions.gemv(a, x, beta=0), (None, 0)), (0, None))
    np.testing.assert_allclose(jax.jit(mapped)(a, x), np.einsum("amn,xn->axm", a, x), rtol=1e-5)
    assert not calls


@pytest.mark.parametrize(
    "call",
    [
        lambda: jax.vmap(functions.dot)(jnp.ones((2, 3)), jnp.ones((2, 3))),
        lambda: jax.jit(functions.axpy)(2.0, jnp.ones(3), jnp.ones(3)),
    ],
    ids=["mapped", "a traced scalar"],
)
def test_python_makes_the_other_calls(call, calls):
    assert (call() == 3).all()
    assert len(calls) == 1


def test_python_raises_the_errors(calls):
    with pytest.raises(JaxRuntimeError, match=r"INVALID_ARGUMENT.* does not fit into int8"):
        jax.jit(functions.fill)(jnp.zeros(3, "i1"), 1000).block_until_ready()
    assert len(calls) == 1


def test_status_codes_of_errors():
    for how, kind in ((1, "INVALID_ARGUMENT.*a wrong value"), (3, "INTERNAL.*it went wrong")):
        with pytest.raises(JaxRuntimeError, match=kind):
            functions.fail(how, jnp.zeros(3, "i4")).block_until_ready()


def test_a_signal_ends_a_call(run_python):
    code = f"""
    import _thread, threading, time
    import jax
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    from {NAME}.jax import spin
    spin(0.0)
    threading.Timer(0.5, _thread.interrupt_main).start()
    start = time.monotonic()
    try:
        spin(60.0).block_until_ready()
    except (KeyboardInterrupt, jax.errors.JaxRuntimeError):
        print(time.monotonic() - start < 10)
    print(float(spin(0.01)) > 0.009)
    """
    environment = {"CUVEC_DEVICE": "cpu", "JAX_PLATFORMS": "cpu"}
    assert run_python(code, **environment).split() == ["True", "True"]
