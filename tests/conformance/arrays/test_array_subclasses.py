"""Subclasses of NumPy's arrays: CuVec arrays over memory of NumPy, masked arrays, and others."""

import copy
import pickle

import numpy as np
import pytest
from errors import exactly
from exporters import Interface
from package import axpy, core, cuvec, dot


def foreign():
    """Return a CuVec over memory of NumPy for each way to get one."""
    x = cuvec.ones(3)
    return [
        np.asanyarray(x, "f8"),
        np.require(x, "f8"),
        np.array(x, subok=True),
        np.ones(3).view(cuvec.CuVec),
        np.array(x, subok=True)[1:],
    ]


@pytest.mark.parametrize("way", range(5))
def test_a_cuvec_over_numpy_memory_has_no_gpu_attributes(way):
    x = foreign()[way]
    for attribute in ("ptr", "cuvec", "memory", "__cuda_array_interface__"):
        with pytest.raises(AttributeError, match=r"cuvec\.asarray"):
            getattr(x, attribute)
    for call in (x.pointer, lambda: x.prefetch("device")):
        with pytest.raises(AttributeError, match=r"cuvec\.asarray"):
            call()


@pytest.mark.parametrize("way", range(5))
def test_a_cuvec_over_numpy_memory_is_an_array(way):
    x = foreign()[way]
    assert dot(x, x) == len(x)
    assert x.sum() == len(x)
    for copied in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), x.copy()):
        assert type(copied) is np.ndarray
        np.testing.assert_array_equal(copied, x)
    ours = cuvec.asarray(x)
    assert ours.ptr == ours.cuvec.ptr


def test_masked_arrays_are_refused():
    x = np.ma.masked_array(np.ones(3, "f4"), [False, True, False])
    y = cuvec.ones(3)
    for call in (
        lambda: axpy(1, x, y),
        lambda: axpy(1, y, x),
        lambda: dot(x, x),
        lambda: cuvec.asarray(x),
        lambda: cuvec.copy(x),
        lambda: dot(np.ma.masked_array(y, [True] * 3, copy=False), y),
        lambda: cuvec.zeros_like(x),
        lambda: axpy(np.ma.masked, y, y),
        lambda: axpy(np.ma.masked_array(1.0), y, y),
        lambda: cuvec.asarray(np.ma.masked_array(y, [True] * 3, copy=False)),
    ):
        with pytest.raises(ValueError, match="masked"):
            call()
    assert y.tolist() == [1, 1, 1]
    assert dot(x.filled(0), y) == 2


def test_what_takes_the_place_of_a_masked_array():
    masked, y = np.ma.masked_array(np.ones(3), [False, True, False]), np.ones(3)
    interface = {"shape": (3,), "typestr": "<f8", "data": (8, False), "version": 3, "mask": y}
    on_gpu, refused = Interface(interface), "masked arrays are not supported; pass"
    for call, message in (
        (lambda: axpy(1, masked, y), f"x: {refused} what x.filled(...) returns"),
        (lambda: axpy(np.ma.masked, y, y), f"a: {refused} what a.filled(...) returns"),
        (lambda: cuvec.asarray(masked), f"a: {refused} what a.filled(...) returns"),
        (
            lambda: axpy(1, y, masked),
            f"y: {refused} what y.filled(...) returns and copy it back into y",
        ),
        (
            lambda: dot(y, y, out=np.ma.zeros(())),
            f"out: {refused} another array and copy it into out",
        ),
        (lambda: dot(on_gpu, y), f"x: {refused} another array"),
    ):
        with pytest.raises(ValueError, match=exactly(message)):
            call()


class Quantity(np.ndarray):
    """An array with a unit, as in astropy."""

    unit = "m"

    def to_value(self, _unit):
        return self.view(np.ndarray)


class WithUnits(np.ndarray):
    """An array with a unit, as in unyt: its class does not have it."""

    def __array_finalize__(self, _source):
        self.units = "m"

    to_value = Quantity.to_value


@pytest.mark.parametrize("kind", [Quantity, WithUnits])
def test_arrays_with_units_are_refused(kind):
    y = cuvec.ones(3)
    for x in (np.ones(3, "f4").view(kind), y.view(kind)):
        for call in (
            lambda x=x: axpy(1, x, y),
            lambda x=x: axpy(1, y, x),
            lambda x=x: dot(x, x),
            lambda x=x: cuvec.asarray(x),
            lambda x=x: cuvec.copy(x),
        ):
            with pytest.raises(ValueError, match=r": arrays with units .*\.to_value"):
                call()
        assert dot(x.to_value("km"), y) == 3
    with pytest.raises(ValueError, match=r"^a: arrays with units"):
        axpy(np.array(2.0).view(kind), cuvec.ones(3), y)
    assert y.tolist() == [1, 1, 1]


@pytest.mark.library("pint")
@pytest.mark.parametrize("number", [2.0, 2])
def test_quantities_of_pint_are_refused(number):
    import pint

    y = cuvec.ones(3)
    x = pint.UnitRegistry().Quantity(cuvec.ones(3), "m")
    assert type(x.magnitude) is cuvec.CuVec  # DLPack is asked of it
    for call in (
        lambda: axpy(1, x, y),
        lambda: axpy(1, y, x),
        lambda: dot(x, x),
        lambda: core.assign(x, y),
        lambda: cuvec.asarray(x),
        lambda: cuvec.copy(x),
        lambda: cuvec.zeros_like(x),
    ):
        with pytest.raises(ValueError, match=r"^[axy]: arrays with units .* what [axy]\.m_as"):
            call()
    with pytest.raises(pint.DimensionalityError):
        axpy(number * x.units, y, y)
    assert y.tolist() == [1, 1, 1]
    assert dot(x.m_as("km"), y) == pytest.approx(3e-3)


class Named(cuvec.CuVec):
    """A subclass with an attribute, as NumPy's guide to subclasses writes it."""

    def __array_finalize__(self, source):
        self.name = getattr(source, "name", "none")


def named():
    x = cuvec.ones((2, 3)).view(Named)
    x.name = "x"
    return x


COPIES = {
    "copy": lambda x: x.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "a slice": lambda x: x[:],
}


@pytest.mark.parametrize("way", COPIES)
def test_copies_keep_the_attributes_of_subclasses(way):
    copied = COPIES[way](named())
    assert (type(copied), copied.name, copied.tolist()) == (Named, "x", [[1] * 3] * 2)


def test_a_cuvec_has_attributes():
    x = cuvec.ones(3)
    x.name = "x"
    assert pickle.loads(pickle.dumps(x)).name == "x"
    assert x.__dict__ == {"name": "x"}  # other subclasses look there
    assert x[:].__dict__ == {}


def test_other_subclasses_are_accepted():
    for number in range(20):
        kind = type(f"Kind{number}", (np.ndarray,), {})
        x = np.ones(3).view(kind)
        assert dot(x, x) == 3
        axpy(1, np.ones(3), x)
        assert x.tolist() == [2, 2, 2]


def test_the_default_order_of_copies_is_c():
    x = cuvec.ones((2, 3)).T
    assert x.copy(None).flags.c_contiguous
    assert x.copy(order=None).cuvec is not x.cuvec


def test_the_class_refuses_an_array_as_a_shape():
    with pytest.raises(TypeError, match=r"cuvec\.asarray"):
        cuvec.CuVec(np.array([3, 4]))
    assert cuvec.CuVec((3, 4)).shape == (3, 4)
    assert cuvec.empty(np.array([3, 4])).shape == (3, 4)


def test_a_shape_of_records_is_a_type_error():
    with pytest.raises(TypeError):
        cuvec.empty(np.zeros(2, [("a", "i4")]))
