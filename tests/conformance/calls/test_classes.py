"""Declared classes: constructors, methods, what objects know, and how they end."""

import ast
import copy
import gc
import importlib
import inspect
import pickle
import pydoc
import weakref
from pathlib import Path

import numpy as np
import package
import pytest
from package import NAME, cuvec, module

WEIGHTS = np.array([1, 2, 3], "f4")
N = 8


@pytest.fixture
def made():
    """Make a `Filter` of three weights for eight elements."""
    with module.Filter(WEIGHTS, N) as filter:
        yield filter


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Fail if an object has not ended, or has ended twice."""
    gc.collect()
    cuvec.dev_sync()
    before = alive()
    yield
    gc.collect()
    cuvec.dev_sync()
    assert alive() == before


def alive():
    """Return how many objects there are, where their language counts them, and the bytes of memory in use."""
    return getattr(module, "counted", int)(), cuvec.memory_stats().used


def test_methods_work_on_the_state_of_their_object(made):
    other = module.Filter(WEIGHTS, 2)
    for value in (1, 2):
        made.add(np.full(N, value, "f4"))
    assert made.total().tolist() == [3] * N
    assert (made.calls_of_add(), other.calls_of_add()) == (2, 0)
    assert other.total().tolist() == [0, 0]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_shapes_are_of_what_the_constructor_was_given(made, dtype):
    x = np.arange(N, dtype=dtype)
    result = made.apply(x)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, np.convolve(x, WEIGHTS[::-1], "valid"))
    with pytest.raises(ValueError, match=r"^x has shape \(7,\), but n is 8$"):
        made.apply(x[:7])
    with pytest.raises(
        ValueError, match=r"^out has shape \(8,\), but must have \(n-k\+1,\) = \(6,\)$"
    ):
        made.apply(x, out=np.zeros(N, dtype))


def test_sizes_that_cannot_be_are_refused():
    with pytest.raises(
        ValueError,
        match=r"^n is a size and cannot be -1$",
    ):
        module.Filter(WEIGHTS, -1)


@pytest.mark.parametrize("n", [2**61, 2**62, 2**62 + 2, 2**63 - 1])
def test_memory_beyond_the_address_space_is_not_allocated(n):
    """Elements have four bytes: 2**62 of them take 0 bytes in a multiplication that wraps."""
    with pytest.raises(MemoryError):
        module.Filter(WEIGHTS, n)


def test_constructors_have_options_and_defaults():
    scaled = module.Filter(weights=WEIGHTS, n=3, scale=2, mode="scaled")
    assert scaled.apply(np.ones(3)) == [12]
    with pytest.raises(ValueError, match=r"^mode must be 'plain' or 'scaled', not 'loud'$"):
        module.Filter(WEIGHTS, 3, mode="loud")
    with pytest.raises(TypeError, match=r"^Filter\(\) missing required argument 'n'$"):
        module.Filter(WEIGHTS)


def test_arrays_of_any_layout_are_arguments():
    made = module.Filter(np.repeat(WEIGHTS, 2)[::2], N)
    assert made.apply(np.ones(2 * N)[::2]).tolist() == [6] * 6
    batch = made.apply(np.ones((3, N)))
    assert batch.shape == (3, 6)


def test_a_constructor_broadcasts_nothing():
    with pytest.raises(
        ValueError, match=r"weights must have 1 dimension \(k,\), not shape \(2, 3\)"
    ):
        module.Filter(np.ones((2, 3), "f4"), N)


def test_several_results_are_a_named_tuple(made):
    made.add(np.arange(N, dtype="f4"))
    ends = made.ends()
    assert (ends.first, ends.last) == ends == (0, N - 1)
    assert type(ends).__name__ == "Filter_ends_result"
    assert pickle.loads(pickle.dumps(ends)) == ends


def test_results_are_given_or_new(made):
    out = cuvec.zeros(N, "f4")
    made.add(np.ones(N, "f4"))
    assert made.total(out=out) is out
    assert out.tolist() == [1] * N
    assert isinstance(made.total(), cuvec.CuVec)


def test_a_constructor_that_raises_leaves_nothing():
    used = cuvec.memory_stats().used
    with pytest.raises(ValueError, match=r"^Filter\(\): a filter needs weights$"):
        module.Filter(np.zeros(0, "f4"), 1 << 20)
    assert cuvec.memory_stats().used == used


def test_what_methods_raise_ends_the_call_alone(made):
    with pytest.raises(ValueError, match=r"^Filter.fail\(\): 7$"):
        made.fail(7)
    assert made.total().tolist() == [0] * N


def test_a_closed_object_is_ended():
    count, used = before = alive()
    with module.Filter(WEIGHTS, 1 << 20) as made:
        assert alive() >= (count, used + (4 << 20))
        assert not made.closed
    assert alive() == before
    assert made.closed
    made.close()
    with pytest.raises(
        ValueError, match=r"^Filter.total\(\): the Filter is closed; construct another$"
    ):
        made.total()


def test_an_object_ends_with_its_last_reference():
    before = alive()
    made = module.Filter(WEIGHTS, N)
    cycle = [made]
    cycle.append(cycle)
    method = made.total
    del made, cycle
    gc.collect()
    assert alive() > before
    assert method().tolist() == [0] * N
    del method
    assert alive() == before


def test_constructed_again_it_is_another_object(made):
    made.add(np.ones(N, "f4"))
    made.__init__(WEIGHTS, 2)
    assert made.total().tolist() == [0, 0]


@pytest.mark.function("Filter.keep")
def test_what_a_call_keeps_ends_after_it(made):
    count = module.counted()
    x = np.arange(5, dtype="f4")
    assert made.keep(x).tolist() == x.tolist()
    assert module.counted() == count


def test_methods_are_called_on_objects_of_their_class(made):
    methods = {construct.__name__: methods for construct, methods in package.core.classes}
    message = r"^Filter.total\(\) needs a constructed Filter$"
    for object in (None, 3, made):
        with pytest.raises(TypeError, match=message):
            methods["Filter"][2](object)
    for object in (None, 3, module.Averager(2)):
        with pytest.raises(TypeError, match=message):
            module.Filter.total(object)
    with pytest.raises(TypeError, match="needs a constructed Filter"):
        module.Filter.__new__(module.Filter).total()
    assert module.Filter.total(made).tolist() == [0] * N


def test_arguments_are_the_same_as_for_functions(made):
    with pytest.raises(TypeError, match=r"^Filter.apply\(\) takes 1 argument by position, not 2$"):
        made.apply(np.ones(N), None)
    with pytest.raises(
        TypeError, match=r"^Filter.apply\(\) got an unexpected keyword argument 'z'$"
    ):
        made.apply(np.ones(N), z=1)
    with pytest.raises(TypeError, match="x has dtype int64, but must have float32 or float64"):
        made.apply(np.ones(N, "i8"))


class Derived(package.module.__dict__.get("Filter", object)):
    """A class of a package may be derived from."""

    def __init__(self, weights, n):
        super().__init__(weights, n)
        self.arguments = (weights, n)

    def __reduce__(self):
        return type(self), self.arguments

    def mean(self):
        return float(self.total().mean())


def test_objects_are_not_pickled_or_copied(made):
    for refused in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(
            TypeError, match=r"^a Filter cannot be pickled or copied: .* `__reduce__`"
        ):
            refused(made)
    assert pickle.loads(pickle.dumps(module.Filter)) is module.Filter


def test_a_derived_class_says_how_it_is_pickled():
    derived = Derived(WEIGHTS, N)
    derived.add(np.ones(N, "f4"))
    again = pickle.loads(pickle.dumps(derived))
    assert (derived.mean(), again.mean()) == (1, 0)


def test_classes_look_like_classes_in_python(made):
    cls = module.Filter
    assert (cls.__module__, cls.__qualname__) == (NAME, "Filter")
    assert cls.apply.__qualname__ == "Filter.apply"
    assert cls.__doc__.startswith("Weighted sums of `k` neighbours")
    assert "Filter" in module.__all__
    place = "on the CPU" if cuvec.device().index is None else f"on GPU {cuvec.device().index}"
    assert repr(made) == f"<{NAME}.Filter {place}>"
    assert weakref.ref(made)() is made
    made.close()
    assert repr(made) == f"<{NAME}.Filter closed>"


def test_signatures_and_help():
    text = "(weights, n, *, scale=1, mode='plain', stream=None)"
    assert str(inspect.signature(module.Filter)) == text
    assert str(inspect.signature(module.Filter.apply)) == "(self, /, x, *, out=None, stream=None)"

    class Derived(module.Filter):
        def __init__(self, size):
            super().__init__(np.ones(size), size)

    assert str(inspect.signature(Derived)) == "(size)"
    text = pydoc.plain(pydoc.render_doc(module.Filter))
    for part in ("apply(self, /, x, *, out=None, stream=None)", "y : array of T, shape (n-k+1,)"):
        assert part in text


@pytest.mark.library("torch")
def test_tensors_are_arguments_and_results(made):
    torch = importlib.import_module("torch")
    device = "cpu" if cuvec.device().index is None else "cuda"
    x = torch.arange(N, dtype=torch.float32, device=device)
    y = made.apply(x)
    assert isinstance(y, torch.Tensor)
    assert y.device == x.device
    assert y.tolist() == np.convolve(np.arange(N), WEIGHTS[::-1], "valid").tolist()
    with pytest.raises(
        TypeError, match=r"^Filter.apply\(\) has no derivative, .* pass x.detach\(\)$"
    ):
        made.apply(x.requires_grad_())


@pytest.mark.library("torch")
@pytest.mark.filterwarnings("ignore:Dynamo does not know how to trace")
def test_compiled_programs_of_pytorch_leave_methods_to_python(made):
    torch = importlib.import_module("torch")
    device = "cpu" if cuvec.device().index is None else "cuda"
    x = torch.arange(N, dtype=torch.float32, device=device)

    def work(x):
        made.add(x)
        return made.apply(2 * x) + 1

    program = torch.compile(work, backend="eager")
    expected = np.convolve(2 * np.arange(N), WEIGHTS[::-1], "valid") + 1
    for _ in range(3):
        assert program(x).tolist() == expected.tolist()
    assert made.calls_of_add() == 3
    with pytest.raises(torch._dynamo.exc.Unsupported, match="a method of a class with state"):
        torch.compile(lambda x: made.apply(x) + 1, backend="eager", fullgraph=True)(x)


@pytest.mark.library("jax")
def test_arrays_of_jax_are_arguments(made):
    jnp = importlib.import_module("jax.numpy")
    assert made.apply(jnp.ones(N, "f4")).tolist() == [6] * 6


@pytest.mark.library("jax")
def test_methods_are_part_of_no_program_of_jax(made):
    jax = importlib.import_module("jax")
    with pytest.raises(
        TypeError, match=r"^Filter.apply\(\) is part of no program of JAX: .* jax.jit"
    ):
        jax.jit(made.apply)(jax.numpy.ones(N, "f4"))
    with pytest.raises(TypeError, match=r"^Filter\(\) is part of no program of JAX"):
        jax.jit(lambda x: module.Filter(x, N))(jax.numpy.ones(3, "f4"))


@pytest.mark.parametrize("adapter", ["torch", "jax"])
def test_programs_of_frameworks_are_told_where_classes_are(adapter):
    pytest.importorskip(adapter)
    adapted = importlib.import_module(f"{NAME}.{adapter}")
    with pytest.raises(AttributeError, match=f"^`Filter` is a class with state.*{NAME}.Filter"):
        _ = adapted.Filter


def test_the_stub_has_the_class():
    stub = Path(package.core.__file__).with_name("functions.pyi").read_text(encoding="utf-8")
    classes = {it.name: it for it in ast.parse(stub).body if isinstance(it, ast.ClassDef)}
    docstring, *members = classes["Filter"].body
    assert isinstance(docstring, ast.Expr)
    for member in members:
        written = [*member.args.args, *member.args.kwonlyargs]
        expected = inspect.signature(getattr(module.Filter, member.name)).parameters
        assert [it.arg for it in written] == list(expected)


# ---- streams -----------------------------------------------------------------------------------


@pytest.mark.gpu
def test_calls_on_several_streams_come_after_each_other(stream):
    made = module.Filter(np.ones(1, "f4"), 1 << 20, stream=stream)
    x = cuvec.ones(1 << 20, "f4")
    for turn in range(20):
        made.add(x, stream=(stream, None)[turn % 2])
    assert (made.total() == 20).all()


@pytest.mark.gpu
def test_an_object_outlives_the_work_with_it(stream):
    x, y = cuvec.ones(1 << 22, "f4"), cuvec.zeros(1 << 22, "f4")
    made = module.Filter(np.ones(1, "f4"), 1 << 22)
    for _ in range(50):
        made.add(x, stream=stream)
    made.total(out=y, stream=stream)
    del made
    others = [cuvec.full(1 << 20, 99, "f4") for _ in range(8)]
    cuvec.dev_sync()
    assert (y == 50).all()
    del others


@pytest.mark.gpu
@pytest.mark.function("Filter.keep")
def test_what_an_asynchronous_call_keeps_ends_after_it(made, stream):
    count = module.counted()
    x = cuvec.ones(1 << 20, "f4")
    y = made.keep(x, stream=stream)
    cuvec.dev_sync()
    assert (y == 1).all()
    assert module.counted() == count


@pytest.mark.gpu
def test_a_graph_keeps_its_object(stream):
    graphs = importlib.import_module("graphs")
    x, y = cuvec.ones(N, "f4"), cuvec.zeros(N, "f4")
    before = alive()
    made = module.Filter(WEIGHTS, N)
    made.total(out=y, stream=stream)
    made.add(x, stream=stream)
    cuvec.dev_sync()

    def calls():
        made.add(x, stream=stream)
        made.total(out=y, stream=stream)

    with graphs.captured(stream, calls) as replay:
        assert replay
        made.close()
        assert alive() > before
        replay()
        cuvec.dev_sync()
        assert (y == 2).all()

    def is_gone():
        cuvec.dev_sync()
        return alive() == before

    graphs.becomes_true(is_gone)


@pytest.mark.gpu
def test_no_object_is_made_in_a_graph(stream):
    graphs = importlib.import_module("graphs")
    weights = cuvec.asarray(WEIGHTS)
    made = module.Filter(weights, N, stream=stream)  # loads modules
    before = alive()
    with graphs.captured(stream, lambda: module.Filter(weights, N, stream=stream)) as replay:
        assert replay is None
    assert graphs.becomes_true(lambda: alive() == before)
    assert made.total().tolist() == [0] * N
