"""Modules of `cuvec/cpython.h` say that they need no GIL, else a free-threaded Python turns it on for the whole process when one is imported.
The other binding tools say it themselves when they are told to; ctypes loads no module."""

import re
from pathlib import Path

import pytest
from environment import interpreter
from shell import ROOT, run


@pytest.mark.parametrize(("flags", "says_it"), [(["-DPy_GIL_DISABLED"], True), ([], False)], ids=["without", "with"])
def test_cpython_needs_no_gil(flags: list[str], says_it: bool, tmp_path: Path) -> None:
    """Compilers define it for a free-threaded Python; other ones before 3.13 know no such slot."""
    include = run(interpreter("3.13"), "-c", "import sysconfig; print(sysconfig.get_path('include'))").strip()
    source = tmp_path / "ext.cpp"
    source.write_text("#include <cuvec/cpython.h>\n")
    text = run("g++", "-std=c++20", "-E", "-P", *flags, f"-I{include}", f"-I{ROOT}/runtime/include", source)
    (slots,) = re.findall(r"static PyModuleDef_Slot slots\[\] = \{(.*?)\};", text, re.DOTALL)
    gil, not_used = r"4", r"\(\(void \*\)1\)"  # Py_mod_gil, Py_MOD_GIL_NOT_USED
    assert bool(re.search(rf"\{{{gil}, {not_used}\}}", slots)) == says_it, slots


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("runtime/cmake/Extension.cmake", "nanobind_add_module(${name} STABLE_ABI FREE_THREADED "),
        ("runtime/cmake/Extension.cmake", 'COMPILE_OPTIONS "-nogil;'),  # swig
        ("templates/bridge/pybind11/src/ext.cpp", "py::mod_gil_not_used()"),
        ("templates/bridge/pyo3/src/lib.rs", "#[pymodule(gil_used = false)]"),
        ("templates/bridge/cxx/src/lib.rs", "#[pymodule(gil_used = false)]"),
    ],
)
def test_other_tools_are_told(file: str, said: str) -> None:
    assert said in (ROOT / file).read_text()
