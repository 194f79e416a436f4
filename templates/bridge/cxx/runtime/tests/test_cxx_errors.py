"""Errors that cross between C++ and Rust, in both directions: exceptions for Python, all of them."""

import pytest
from package import core, cuvec, dot

KINDS = {
    "type": TypeError,
    "value": ValueError,
    "overflow": OverflowError,
    "memory": MemoryError,
    "runtime": RuntimeError,
}


@pytest.fixture(autouse=True)
def everything_works_afterwards():
    yield
    assert dot(cuvec.ones(3), cuvec.ones(3)) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_errors_of_rust_keep_their_kind_and_text(kind):
    with pytest.raises(KINDS[kind]) as caught:
        core._crossings.fail_in_rust(kind, "said by Rust: ü")
    assert caught.type is KINDS[kind]
    assert str(caught.value) == "said by Rust: ü"


@pytest.mark.parametrize("on_thread", [False, True])
def test_panics_of_rust_are_runtime_errors(on_thread):
    with pytest.raises(RuntimeError, match=r"Rust panicked.*: on purpose"):
        core._crossings.panic_in_rust("on purpose", on_thread)


def test_panics_say_where():
    with pytest.raises(RuntimeError, match=r"at bridge.src.crossings\.rs:\d+"):
        core._crossings.panic_in_rust("on purpose", False)


def test_panics_print_nothing_and_do_not_end_the_process(run_python):
    code = """
    from package import core
    for on_thread in (False, True):
        try:
            core._crossings.panic_in_rust("on purpose", on_thread)
        except RuntimeError as error:
            print("on purpose" in str(error))
    """
    assert run_python(code).split() == ["True", "True"]


def test_exceptions_of_cpp_pass_through_rust():
    with pytest.raises(IndexError, match="thrown by C\\+\\+"):  # std::out_of_range
        core._crossings.throw_to_rust(True)


def test_anything_else_that_cpp_throws_is_a_runtime_error():
    with pytest.raises(RuntimeError, match="no std::exception"):
        core._crossings.throw_to_rust(False)


def test_exceptions_of_python_pass_through_rust_as_they_are():
    error = KeyError("raised by Python")

    def body(_begin, _end):
        raise error

    with pytest.raises(KeyError) as caught:
        core._crossings.call_from_rust(100, body)
    assert caught.value is error
    assert "body" in [entry.name for entry in caught.traceback]
