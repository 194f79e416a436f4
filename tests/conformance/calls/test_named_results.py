"""Several results with names are a named tuple."""

import copy
import importlib
import pickle

import numpy as np
import pytest
from package import NAME, cuvec, module, pieces

pytestmark = pytest.mark.function("signs")
signs = getattr(module, "signs", None)
X = np.array([-1, 0, 2, -3], "float32")
functions = importlib.import_module(f"{NAME}.cuvec.functions")


def test_results_have_names():
    result = signs(X)
    below, above, size = result
    assert result.below is below
    assert result.above is above
    assert result.size == size == 4
    assert isinstance(result, tuple)
    assert type(result) is functions.signs_result
    assert result._fields == ("below", "above", "size")
    assert repr(result._replace(below=0, above=1)) == "signs_result(below=0, above=1, size=4)"


def test_out_is_named_too():
    out = (cuvec.zeros(4, "int64"), None, None)
    result = signs(X, out=out)
    assert np.shares_memory(result.below, out[0])


@pytest.mark.parametrize("again", [copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
def test_it_is_copied_and_pickled(again):
    result = again(signs(X))
    assert type(result) is functions.signs_result
    np.testing.assert_array_equal(np.sort(result.below), [0, 3])


def test_without_all_names_it_is_a_tuple():
    assert type(pieces(np.ones(3, "int32"))) is tuple
