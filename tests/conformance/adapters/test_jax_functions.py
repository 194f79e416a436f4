"""JAX: the functions in programs, on the GPU where there is one, else on the CPU."""

import importlib
import inspect
import pydoc

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import package
import pytest
from package import NAME

functions = importlib.import_module(f"{NAME}.jax")
random = np.random.default_rng(5)


@pytest.fixture(params=[False, True], ids=["eager", "jit"])
def how(request):
    """Return what makes a function eager or compiled; arguments of closures are static."""
    return jax.jit if request.param else lambda function: function


def same(found, expected):
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(found, expected)


def test_every_function_that_makes_an_array_is_available():
    for function in package.functions_of_known_sizes():
        adapted = getattr(functions, function.__name__)
        assert (adapted.__name__, adapted.__module__) == (function.__name__, f"{NAME}.jax")
        assert inspect.getdoc(adapted).partition("\n")[0] in inspect.getdoc(function)
    assert str(inspect.signature(functions.gemv)) == "(a, x, *, alpha=1, beta=-0.5)"
    shown = pydoc.plain(pydoc.render_doc(functions.gemv))
    assert "gemv(a, x, *, alpha=1, beta=-0.5)" in shown
    assert "Declared as ``gemv<T: " in shown


def test_other_names_are_errors():
    with pytest.raises(AttributeError, match="no function `nonsense` for JAX: there are activate"):
        functions.nonsense  # noqa: B018
    with pytest.raises(AttributeError, match=f"could drop it: call {NAME}.require_size"):
        functions.require_size  # noqa: B018


def test_results_match_the_function(how):
    a, x = random.random((5, 3), "f4"), random.random(3, "f4")
    found = how(lambda a, x: functions.gemv(a, x, alpha=2, beta=0.25))(a, x)
    same(found, package.gemv(a, x, alpha=2, beta=0.25))


def test_inout_arguments_are_returned(how):
    x, y = jnp.arange(1000, dtype="f4"), jnp.ones(1000)
    found = how(lambda x, y: functions.axpy(2, x, y))(x, y)
    np.testing.assert_array_equal(found, 2 * np.arange(1000) + 1)
    np.testing.assert_array_equal(y, np.ones(1000))
    both = how(functions.swap)(jnp.arange(3), jnp.arange(3, 6))
    assert [it.tolist() for it in both] == [[3, 4, 5], [0, 1, 2]]


def test_an_array_may_be_read_and_written(how):
    x = jnp.arange(10, dtype="f4")
    np.testing.assert_array_equal(how(lambda x: functions.axpy(2, x, x))(x), 3 * np.arange(10))
    np.testing.assert_array_equal(x, np.arange(10))


def test_a_donated_array_is_written_in_place():
    x, y = jnp.ones(1000), jnp.zeros(1000)
    step = jax.jit(lambda x, y: functions.axpy(1, x, y), donate_argnums=1)
    address = y.unsafe_buffer_pointer()
    for _ in range(3):
        y = step(x, y)
        assert y.unsafe_buffer_pointer() == address
    assert (np.asarray(y) == 3).all()


@pytest.mark.may_skip
def test_programs_are_exported():
    pytest.importorskip("flatbuffers")
    allowed = [jax.export.DisabledSafetyCheck.custom_call(f"{NAME}.rms_norm")]
    program = jax.export.export(jax.jit(functions.rms_norm), disabled_checks=allowed)
    of_any_size = jax.ShapeDtypeStruct(jax.export.symbolic_shape("rows, 6"), jnp.float32)
    written = program(of_any_size, jax.ShapeDtypeStruct((6,), jnp.float32)).serialize()
    x, weight = random.random((5, 6), "f4"), random.random(6, "f4")
    same(jax.export.deserialize(written).call(x, weight), package.rms_norm(x, weight))


def test_functions_access_xlas_memory():
    x = jnp.arange(100, dtype="i4")
    same(functions.first(x), np.asarray(x)[0])
    with jax.enable_x64(True):
        assert int(jax.jit(functions.address)(x)) == x.unsafe_buffer_pointer()


def test_several_results_and_computed_shapes(how):
    with jax.enable_x64(True):
        found = how(functions.pieces)(np.arange(5, dtype="i4"))
    expected = package.pieces(np.arange(5, dtype="i4"))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    assert [it.shape for it in found] == [(4,), (11,), (2,), ()]


def test_functions_without_arrays(how):
    with jax.enable_x64(True):
        same(how(lambda: functions.iota(4, start=2, step=3))(), np.array([2, 5, 8, 11]))
    same(how(functions.ramp)(), np.arange(5, dtype="f4"))


@pytest.mark.parametrize(
    "dtype", ["?", "b", "H", "i", "e", "f", "F", "bfloat16", "float8_e5m2", "float8_e8m0fnu"]
)
def test_dtypes(dtype, how):
    y = how(lambda: functions.fill(jnp.zeros((2, 3), dtype), 1))()
    same(y, np.ones((2, 3), dtype))


@pytest.mark.parametrize("dtype", ["q", "Q", "d", "D"])
def test_dtypes_of_64_bits(dtype, how):
    number = 1 - 2j if dtype == "D" else 1
    with jax.enable_x64(True):
        y = how(lambda: functions.fill(jnp.zeros((2, 3), dtype), number))()
    same(y, np.full((2, 3), number, dtype))


def test_without_x64_results_have_dtypes_of_jax(how):
    x = jnp.arange(100, dtype="f4")
    same(how(functions.dot)(x, x), np.float32(328350))
    counts = how(lambda x: functions.histogram(x, 3) * 2)(x / 100)
    same(counts, np.array([2 * it for it in package.histogram(np.asarray(x) / 100, 3)], "i4"))


@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), ()])
def test_empty_and_0d_arrays(shape, how):
    x = jnp.ones(shape)
    np.testing.assert_array_equal(how(lambda x: functions.axpy(2, x, x))(x), 3 * np.ones(shape))


SCALARS = [0.1, -0.0, float("inf"), 2**24 + 1, True, np.float32(0.3), np.int8(-3)]


@pytest.mark.parametrize("number", SCALARS, ids=repr)
def test_static_scalars_are_exact(number, how):
    with jax.enable_x64(True):
        y = how(lambda: functions.fill(jnp.zeros(1), number))()
        same(y, np.full(1, number, "f8"))


def test_traced_scalars(how):
    x = jnp.ones(3)
    y = how(functions.axpy)(2.5, x, jnp.zeros(3))
    assert y.tolist() == [2.5] * 3
    total = jax.lax.fori_loop(0, 4, lambda i, y: functions.axpy(1.0 * i, x, y), jnp.zeros(3))
    assert total.tolist() == [6] * 3


def test_sizes_must_be_static():
    message = (
        "n is a size, which must be known when a program is traced: name it in static_argnames"
    )
    with jax.enable_x64(True):
        with pytest.raises(TypeError, match=message):
            jax.jit(lambda n: functions.iota(n, start=0))(3)
        iota = jax.jit(functions.iota, static_argnames="n")
        assert iota(3, start=5, step=1).tolist() == [5, 6, 7]


@pytest.mark.parametrize("axis", [0, 1])
def test_vmap(axis, how):
    a, x = random.random((4, 5, 3), "f4"), random.random((4, 3), "f4")
    one = jax.vmap(lambda a, x: functions.gemv(a, x, beta=0), (0, axis))
    x = np.moveaxis(x, 0, axis)
    expected = np.einsum("bij,bj->bi", a, np.moveaxis(x, axis, 0))
    np.testing.assert_allclose(how(one)(a, x), expected, rtol=1e-5)


def test_vmap_of_some_arguments(how):
    a, x = random.random((5, 3), "f4"), random.random((2, 4, 3), "f4")
    one = jax.vmap(jax.vmap(lambda x: functions.gemv(a, x, beta=0)))
    np.testing.assert_allclose(how(one)(x), x @ a.T, rtol=1e-5)
    add = jax.vmap(functions.axpy, (0, None, None))
    y = how(add)(jnp.arange(3.0), jnp.ones(2), jnp.full(2, 10.0))
    assert y.tolist() == [[10, 10], [11, 11], [12, 12]]
    mask, x16 = x[0] > 0.5, x[0].astype("f2")
    one = jax.vmap(functions.choose, (0, 0, None))
    np.testing.assert_array_equal(how(one)(mask, x16, x16[0]), np.where(mask, x16, x16[0]))
    one = jax.vmap(lambda mask, x: functions.choose(mask, x, -x))  # with fewer dimensions
    found = how(one)(mask, x16[:, 0])
    np.testing.assert_array_equal(found, np.where(mask, x16[:, :1], -x16[:, :1]))
    weights = random.random((4, 3), "f4")
    one = jax.vmap(functions.rms_norm, (1, 0))
    expected = [package.rms_norm(x[:, i], weight) for i, weight in enumerate(weights)]
    np.testing.assert_allclose(how(one)(x, weights), expected, rtol=1e-6)
    smooth = jax.vmap(functions.smooth)
    expected = [package.smooth(row) for row in x.reshape(8, 3)]
    np.testing.assert_array_equal(how(smooth)(x.reshape(8, 3)), expected)


def test_dimensions_are_broadcast(how):
    a, x = random.random((4, 1, 2, 3), "f4"), random.random((5, 3), "f4")
    found = how(lambda a, x: functions.gemv(a, x, beta=0))(a, x)
    np.testing.assert_allclose(found, np.einsum("abmn,xn->axm", a, x), rtol=1e-5)
    mask, y = random.random((4, 1)) > 0.5, random.random(3).astype("f2")
    np.testing.assert_array_equal(how(functions.choose)(mask, y, -y), np.where(mask, y, -y))


def test_derivatives_can_be_defined():
    @jax.custom_vjp
    def gemv(a, x):
        return functions.gemv(a, x, beta=0)

    def backward(residuals, grad):
        a, x = residuals
        return jnp.outer(grad, x), functions.gemv(a.T, grad, beta=0)

    gemv.defvjp(lambda a, x: (gemv(a, x), (a, x)), backward)
    a, x = random.random((4, 3), "f4"), random.random(3, "f4")
    found = jax.jit(jax.grad(lambda a, x: (gemv(a, x) ** 2).sum(), (0, 1)))(a, x)
    for one, other in zip(found, (2 * np.outer(a @ x, x), 2 * a.T @ (a @ x)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_there_is_no_derivative_by_default():
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda x: functions.smooth(x).sum())(jnp.ones(3))


ERRORS = {
    "dtype": (
        lambda: functions.axpy(1, jnp.ones(3), jnp.ones(3, "i4")),
        TypeError,
        "y has dtype int32, but must have float32 or float64",
    ),
    "two dtypes": (
        lambda: functions.gemv(jnp.ones((2, 3)), jnp.ones(3, "F")),
        TypeError,
        "a and x must have the same dtype, not float32 and complex64",
    ),
    "shape": (
        lambda: functions.axpy(1, jnp.ones(3), jnp.ones(4)),
        ValueError,
        "x and y cannot be broadcast together, with shapes (3,) and (4,)",
    ),
    "written": (
        lambda: functions.axpy(1, jnp.ones((2, 3)), jnp.ones(3)),
        ValueError,
        "y is written and must have shape (2, 3), not (3,)",
    ),
    "size": (
        lambda: functions.gemv(jnp.ones((2, 3)), jnp.ones(4)),
        ValueError,
        "x has shape (4,), but must have (3,)",
    ),
    "axes": (
        lambda: functions.gemv(jnp.ones(3), jnp.ones(3)),
        ValueError,
        "a must have 2 dimensions (m, n), not shape (3,)",
    ),
    "negative size": (
        lambda: functions.histogram(jnp.ones(3), -1),
        ValueError,
        "bins is a size and cannot be -1",
    ),
    "number": (
        lambda: functions.axpy("2", jnp.ones(3), jnp.ones(3)),
        TypeError,
        "a must be a number, not str",
    ),
    "argument": (
        lambda: functions.axpy(2, jnp.ones(3)),
        TypeError,
        "axpy() missing a required argument: 'y'",
    ),
    "keyword": (
        lambda: functions.axpy(alpha=2, x=jnp.ones(3), y=jnp.ones(3)),
        TypeError,
        "axpy() got an unexpected keyword argument 'alpha'",
    ),
    "keyword with a slip": (
        lambda: functions.iota(3, strat=0),
        TypeError,
        "iota() got an unexpected keyword argument 'strat'; did you mean 'start'?",
    ),
    "array for a number": (
        lambda: functions.axpy(np.ones(3), jnp.ones(3), jnp.ones(3)),
        TypeError,
        "a must be a number, not an array of shape (3,)",
    ),
    "no array": (
        lambda: functions.axpy(2, None, jnp.ones(3)),
        TypeError,
        "x must be an array, not NoneType",
    ),
    "dict": (
        lambda: functions.axpy(2, {}, jnp.ones(3)),
        TypeError,
        "x must be an array, not dict",
    ),
    "number that does not fit": (
        lambda: functions.fill(jnp.zeros(3, "i1"), 1000),
        OverflowError,
        "a = 1000 does not fit into int8",
    ),
    "complex number": (
        lambda: functions.axpy(2j, jnp.ones(3), jnp.ones(3)),
        TypeError,
        "a must be a real number, not complex",
    ),
    "size that is no integer": (
        lambda: functions.histogram(jnp.ones(3), 4.0),
        TypeError,
        "bins must be an integer, not float",
    ),
    "tuple": (
        lambda: functions.wave(jnp.ones(3), weights=(1, 2, 3)),
        ValueError,
        "weights must have 2 items, not 3",
    ),
    "item": (
        lambda: functions.wave(jnp.ones(3), weights=(1, "2")),
        TypeError,
        "weights[1] must be a number, not str",
    ),
    "traced tuple": (
        lambda: jax.jit(lambda w: functions.wave(jnp.ones(3), weights=w))(jnp.ones(2)),
        TypeError,
        "weights is a tuple, whose items must be known when a program is traced: make it outside of the program",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_raised_when_a_program_is_traced(case):
    call, error, message = ERRORS[case]
    with pytest.raises(error) as raised:
        jax.make_jaxpr(call)()
    assert str(raised.value) == message


def test_errors_of_the_function_are_raised_when_the_program_runs(how):
    y = jnp.zeros(3, "i4")
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"fail\(\): it went wrong"):
        how(lambda y: functions.fail(3, y))(y).block_until_ready()
    with pytest.raises(jax.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED"):
        how(lambda y: functions.fail(2, y))(y).block_until_ready()
    assert how(lambda y: functions.fail(0, y))(y).tolist() == [0, 0, 0]


def test_traced_scalars_that_do_not_fit_are_errors():
    with pytest.raises(jax.errors.JaxRuntimeError, match="INVALID_ARGUMENT"):
        jax.jit(functions.fill)(jnp.zeros(3, "i1"), 1000).block_until_ready()


def test_programs_run_on_several_threads():
    from concurrent.futures import ThreadPoolExecutor

    step = jax.jit(lambda x: functions.smooth(functions.axpy(1.5, x, x)))
    inputs = [jnp.full(10_000, i, "f4") for i in range(32)]
    with ThreadPoolExecutor(8) as pool:
        for i, y in enumerate(pool.map(step, inputs)):
            assert (np.asarray(y) == 2.5 * i).all()


def test_long_programs():
    @jax.jit
    def program(x):
        def body(y, _):
            y = functions.axpy(0.5, x, jnp.sin(y))
            return y, functions.first(y)

        return jax.lax.scan(body, x, length=100)

    y, firsts = program(jnp.linspace(0, 1, 100))
    expected, seen = np.linspace(0, 1, 100, dtype="f4"), []
    start = expected
    for _ in range(100):
        expected = 0.5 * start + np.sin(expected)
        seen.append(expected[0])
    np.testing.assert_allclose(y, expected, rtol=1e-4)
    np.testing.assert_allclose(firsts, seen, rtol=1e-4)


def test_arrays_with_strides_are_contiguous_here(how):
    x = jnp.asarray(np.random.default_rng(3).standard_normal((2, 3, 4, 6)), "f4")
    tables = jnp.ones((2, 3, 3), "f4")
    first, second = jnp.split(x, 2, -1)
    expected = jnp.concatenate([first - second, first + second], -1)
    np.testing.assert_allclose(how(functions.rotary)(x, *tables), expected, rtol=1e-5)


def test_direct_calls_are_in_the_packages_module(monkeypatch, how):
    """There its author gives functions a derivative."""
    smooth = functions.smooth
    derivable = jax.custom_vjp(smooth)
    derivable.defvjp(lambda x: (smooth(x), None), lambda _, dy: (7 * dy,))
    monkeypatch.setattr(functions, "smooth", derivable)
    found = how(jax.grad(lambda x: package.module.smooth(x).sum()))(jnp.ones(3))
    assert found.tolist() == [7, 7, 7]


def test_programs_write_nothing(how):
    x, out = jnp.ones(3), np.zeros(3, "f4")
    for name, given in (("out", out), ("stream", 0)):
        message = rf"^cube\(\) has no `{name}` in a program of JAX: leave it out"
        with pytest.raises(TypeError, match=message):
            jax.jit(lambda x: package.cube(x, **{name: given}))(x)  # noqa: B023
    message = r"^axpy\(\) writes its arguments, and arrays of JAX do not change: call \w+\.jax\.axpy, which"
    with pytest.raises(TypeError, match=message):
        jax.jit(lambda x: package.axpy(2, x, out))(x)
    with pytest.raises(TypeError, match=r"^nonzero\(\) is part of no program of JAX"):
        jax.jit(package.nonzero)(x)
    assert not out.any()
    same(how(lambda x: functions.axpy(2, x, out))(x), np.full(3, 2, "f4"))


def test_errors_of_kernels(how):
    """On a GPU the next call raises them, for JAX waits without the package."""
    with jax.enable_x64(True):
        x, index = jnp.ones(3), jnp.array([0, 7])

        def twice():
            for _ in range(2):
                jax.block_until_ready(how(functions.gather)(x, index))

        with pytest.raises(Exception, match=r"out of range: 7|no element 7"):
            twice()
        same(how(functions.gather)(x, index % 3), np.ones(2))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_of_another_dtype(dtype, how):
    with jax.enable_x64(True):
        indptr, indices = jnp.array([0, 2, 2, 3]), jnp.array([0, 2, 1], dtype)
        y = how(functions.csr_product)(indptr, indices, jnp.arange(1.0, 4), 10.0 ** jnp.arange(3))
        same(y, np.array([201.0, 0, 30]))


def test_rows_are_dense_here(how):
    with jax.enable_x64(True):
        x, scale = np.arange(48, dtype="f4").reshape(6, 8)[:, 2:6], np.arange(8, dtype="f4")[::2]
        y, strides = how(functions.spread)(x, scale, jnp.zeros((6, 4), "f4"), jnp.zeros(5, "i8"))
        same(y, x * scale)
        assert strides.tolist() == [4, 1, 1, 4, 1]
