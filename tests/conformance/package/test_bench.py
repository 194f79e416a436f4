"""`cuvec.bench`: every function can be timed, with arrays made from its declaration."""

from importlib import import_module

import pytest
from package import NAME, core

bench = import_module(f"{NAME}.cuvec.bench")
# these raise, or need a GPU
FAIL = {
    "captured",
    "double_on_103a",
    "exchange",
    "fail",
    "miscomposed",
    "narrowed",
    "require",
    "require_size",
    "waiting",
    "weigh",
}


@pytest.mark.parametrize("name", sorted({it.__name__ for it in core.declared} - FAIL))
def test_a_call_of(name):
    case = bench.case(name, 64)
    case.call()
    assert case.moved >= 0


@pytest.mark.function("gemv")
def test_bytes_and_sizes():
    case = bench.case("gemv", 100, "float64", {"n": 3})
    assert case.sizes == {"m": 10, "n": 3}
    assert case.moved == 8 * (30 + 3 + 10)
    with pytest.raises(ValueError, match="gemv has no dimension `q`: it has m, n"):
        bench.case("gemv", 100, given={"q": 3})
    with pytest.raises(ValueError, match="there is no function `nosuch`: "):
        bench.case("nosuch", 100)


@pytest.mark.function("axpy")
def test_table(capsys):
    bench.table("axpy", 1 << 14, 0.001)
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["12,288", "49,152"]
    assert all(
        float(row.split()[2]) > 0 for row in rows
    )  # microseconds; a busy machine has 0.00 GB/s
    bench.table("axpy", 1 << 14, 0.001, given=["...=1000"])
    assert capsys.readouterr().out.split()[0] == "12,000"
    with pytest.raises(SystemExit, match="axpy has no dimension `n`"):
        bench.table("axpy", 1 << 14, 0.001, given=["n=1"])
