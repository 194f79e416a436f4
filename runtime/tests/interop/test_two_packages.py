"""Two packages in one process: each takes the arrays of the other like its own."""

import importlib
import shutil
import sys
from pathlib import Path

import numpy as np
import package
import pytest
from package import axpy, cuvec, dot


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Import a copy of the package under another name."""
    here = Path(package.module.__file__).parent
    if not list(here.glob("cuvec/*.so")) and not list(here.glob("cuvec/*.pyd")):
        pytest.skip("editable install: the native module is elsewhere")
    folder = tmp_path_factory.mktemp("packages")
    shutil.copytree(here, folder / "the_other_package")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("the_other_package")
    sys.path.remove(str(folder))


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_each_takes_arrays_of_the_other(other, memory):
    ours, theirs = cuvec.ones(1000, memory=memory), other.cuvec.full(1000, 2, memory=memory)
    axpy(3, theirs, ours)
    assert (ours == 7).all()
    other.axpy(1, ours, theirs)
    assert (theirs == 9).all()
    axpy(1, ours[:10], theirs[10:20])
    assert theirs[8:22].tolist() == [9] * 2 + [16] * 10 + [9] * 2
    assert dot(theirs[:10], ours[:10]) == other.dot(ours[:10], theirs[:10]) == 630


def test_arrays_of_the_other_are_checked_like_our_own(other):
    ours, theirs = cuvec.ones(6), other.cuvec.ones(6)
    with pytest.raises(TypeError, match="dtype"):
        axpy(1, other.cuvec.ones(6, "f8"), ours)
    with pytest.raises(ValueError, match="contiguous"):
        axpy(1, other.cuvec.ones(12)[::2], ours)
    with pytest.raises(ValueError, match="overlap"):
        axpy(1, theirs, theirs)
    theirs.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        axpy(1, ours, theirs)
    assert (ours == 1).all()


@pytest.mark.gpu
@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_their_memory_is_not_copied(other, memory):
    ours, theirs = cuvec.ones(1 << 20), other.cuvec.ones(1 << 20, memory=memory)
    axpy(1, theirs, ours)
    before = cuvec.memory_stats()
    for _ in range(3):
        axpy(1, theirs, ours)
        axpy(1, ours, theirs)
    assert cuvec.memory_stats() == before


@pytest.mark.gpu
def test_ours_comes_after_their_work(other, stream):
    x, theirs, ours = other.cuvec.ones(1 << 20), other.cuvec.zeros(1 << 20), cuvec.zeros(1 << 20)
    for _ in range(50):
        other.axpy(1, x, theirs, stream=stream)
    axpy(1, theirs, ours)
    np.testing.assert_array_equal(np.asarray(ours), np.full(1 << 20, 50, "f4"))


@pytest.mark.gpu
def test_their_memory_is_retained_until_our_call_is_done(other, stream):
    ours = cuvec.zeros(1 << 20)
    for _ in range(20):
        axpy(1, other.cuvec.ones(1 << 20), ours, stream=stream)
        other.cuvec.zeros(1 << 20)  # reuses free memory
    cuvec.dev_sync()
    assert (ours == 20).all()
