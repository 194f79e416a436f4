"""Dask's processes: arrays that are sent or spilled to disk keep their type and memory."""

import importlib
import os
import signal

import dask
import dask.array
import numpy as np
import pytest
from dask.sizeof import sizeof
from distributed import Client, LocalCluster, wait
from distributed.protocol import deserialize, deserialize_bytes, serialize, serialize_bytes
from distributed.spill import SpillBuffer
from package import NAME, axpy, cuvec, gemv

gufuncs = importlib.import_module(f"{NAME}.dask")


def new(shape, dtype="f4", memory="managed"):
    x = cuvec.empty(shape, dtype, memory)
    x[...] = np.arange(x.size).reshape(shape) % 2
    return x


def read_only(x):
    x.flags.writeable = False
    return x


ARRAYS = {
    "1-d": lambda: new(10),
    "pinned": lambda: new((4, 5), memory="pinned"),
    "transposed": lambda: new((4, 5)).T,
    "permuted": lambda: new((2, 3, 4, 5)).transpose(2, 0, 3, 1),
    "read-only": lambda: read_only(new((4, 5))),
    "0-d": lambda: new(()),
    "no elements": lambda: new((3, 0, 2)),
    "backwards": lambda: new(10)[::-1],
}
SERIALIZERS = [("dask",), ("pickle",), ("dask", "pickle"), ("cuda", "dask", "pickle")]


def check(found, x):
    assert (type(found), found.memory) == (cuvec.CuVec, x.memory)
    assert (found.shape, found.dtype) == (x.shape, x.dtype)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("serializers", SERIALIZERS, ids="-".join)
@pytest.mark.parametrize("case", ARRAYS)
def test_serializers(case, serializers):
    x = ARRAYS[case]()
    check(deserialize(*serialize(x, serializers=serializers)), x)


@pytest.mark.parametrize("case", ARRAYS)
def test_strides_and_read_only_are_preserved(case):
    x = ARRAYS[case]()
    found = deserialize(*serialize(x, serializers=("dask",)))
    assert found.strides == tuple(map(abs, x.strides))
    assert found.flags.writeable == x.flags.writeable


@pytest.mark.parametrize("dtype", list("?bBhHiIqQefdFD"))
def test_dtypes(dtype):
    x = new((3, 4), dtype)
    check(deserialize_bytes(serialize_bytes(x)), x)


def test_gaps_are_not_sent():
    x = new((1000, 1000))[::500, :2]
    header, frames = serialize(x, serializers=("dask",))
    assert sum(memoryview(frame).nbytes for frame in frames) == x.nbytes
    check(deserialize(header, frames), x)


def test_deserialized_arrays_are_copies():
    x = new(10)
    found = deserialize(*serialize(x))
    found[0] = 7
    assert x[0] == 0


def test_arrays_over_numpy_memory_become_ndarrays():
    plain = np.arange(4.0).view(cuvec.CuVec)
    found = deserialize(*serialize(plain, serializers=("dask",)))
    assert (type(found), found.tolist()) == (np.ndarray, [0, 1, 2, 3])


@pytest.mark.parametrize("memory", ["managed", "pinned"])
def test_sizes(memory):
    x = cuvec.ones((100, 50), "f8", memory)
    assert sizeof(x) == 40_000
    assert sizeof(x[:10]) == 4_000
    assert sizeof(x.T) == 40_000


def test_spilling(tmp_path):
    aside = SpillBuffer(str(tmp_path), target=20_000)
    arrays = {f"x{i}": cuvec.full((10, 100), i) for i in range(10)}
    aside.update(arrays)
    assert len(aside.slow) > 4
    for name, x in arrays.items():
        check(aside[name], x)


def started():
    """Start two processes that work."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    return LocalCluster(**options, dashboard_address=":0", silence_logs=50)


@pytest.fixture(scope="module")
def client():
    with started() as cluster, Client(cluster) as client:
        yield client


def described(x):
    return type(x).__name__, x.memory, x.dtype.str, x.shape, x.strides, x.flags.writeable


def added(x, y):
    y = y.copy()
    axpy(2, x, y)
    return y


@pytest.mark.parametrize("case", ARRAYS)
def test_arrays_go_to_workers_and_come_back(case, client):
    x = ARRAYS[case]()
    remote = client.scatter(x)
    expected = ("CuVec", x.memory, x.dtype.str, x.shape, tuple(map(abs, x.strides)))
    assert client.submit(described, remote).result() == (*expected, x.flags.writeable)
    check(remote.result(), x)


def test_results_go_from_worker_to_worker(client):
    one, two = client.nthreads()  # asks the scheduler; scheduler_info may be out of date
    x = client.submit(cuvec.ones, 1000, workers=one)
    y = client.submit(added, x, x, workers=two)
    z = client.submit(added, x, y, workers=one)
    check(z.result(), cuvec.full(1000, 5))


def test_functions_are_gufuncs(client):
    a, x = new((6, 5, 3)), new((6, 3))
    chunks = [dask.array.from_array(it, chunks=(2, *it.shape[1:])) for it in (a, x)]
    y = gufuncs.gemv(*chunks)
    blocks = client.gather(client.compute(y.to_delayed().ravel().tolist()))
    assert [type(it) for it in blocks] == [cuvec.CuVec] * 3
    expected = [gemv(*pair) for pair in zip(a, x, strict=True)]
    np.testing.assert_array_equal(np.concatenate(blocks), expected)


def test_chunks_of_a_worker_that_is_killed_are_made_again():
    a, x = new((8, 5, 3)), new(3)
    with started() as cluster, Client(cluster) as client:
        chunks = gufuncs.gemv(dask.array.from_array(a, chunks=(1, 5, 3)), x)
        futures = client.compute(chunks.to_delayed().ravel().tolist())
        wait(futures[:1])
        ((worker,),) = client.who_has(futures[:1]).values()
        os.kill(client.run(os.getpid)[worker], signal.SIGKILL)
        found = np.concatenate(client.gather(futures))
    np.testing.assert_array_equal(found, gemv(a, x))


@pytest.mark.parametrize("first", ["distributed", "package"])
def test_the_order_of_imports_does_not_matter(first, run_python):
    package, distributed = f"from {NAME} import cuvec", "import distributed.protocol as protocol"
    lines = [package, distributed] if first == "package" else [distributed, package]
    lines += ["x = cuvec.ones(3)", "found = protocol.deserialize(*protocol.serialize(x))"]
    lines += ["print(type(found) is cuvec.CuVec, found.memory)"]
    code = "\n".join(lines)
    assert run_python(code, PYTHONSAFEPATH="1").split() == ["True", "managed"]


def test_an_import_that_fails_may_be_tried_again(run_python, tmp_path):
    broken = tmp_path / "distributed" / "protocol.py"
    broken.parent.mkdir()
    (broken.parent / "__init__.py").touch()
    broken.write_text("raise ImportError('not yet')")
    code = f"""
import sys
from pathlib import Path
from {NAME} import cuvec
sys.path.insert(0, {str(tmp_path)!r})
try:
    import distributed.protocol
except ImportError as error:
    print(error)
sys.path.pop(0)
del sys.modules["distributed"]
import distributed.protocol as protocol
print(type(protocol.deserialize(*protocol.serialize(cuvec.ones(3)))).__name__)
"""
    assert run_python(code, PYTHONSAFEPATH="1").split() == ["not", "yet", "CuVec"]
