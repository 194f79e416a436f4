"""What is proved of which packages. Each thing is proved once where it differs, and not again where it is the same.

Tests that are not in the table are made of every combination of a bridge and kernels. conftest.py leaves the others out.
"""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from generator import SAMPLES, Combination, combinations
from shell import ROOT


@cache
def layer(bridge: str) -> dict:
    (file,) = (ROOT / "templates").rglob(f"bridge/{bridge}/layer.toml")
    return tomllib.loads(file.read_text())


def host(bridge: str) -> str:
    """The host that a bridge is built on."""
    return layer(bridge)["host"]


def first(combination: Combination) -> bool:
    """The default."""
    return combination == combinations()[0]


def sample(combination: Combination) -> bool:
    """One of each host, and the bridge that is written in Python."""
    return combination in SAMPLES


def stands_for(combination: Combination) -> Combination:
    """The one that stands for all with its host and kernel kind: a sample if there is one."""
    return next(
        other
        for other in (*SAMPLES, *combinations())
        if (host(other.bridge), other.kernels) == (host(combination.bridge), combination.kernels)
    )


def representative(combination: Combination) -> bool:
    """One of each host and kernel kind."""
    return combination == stands_for(combination)


def sample_or_representative(combination: Combination) -> bool:
    """Every way in which a library comes to be: by cargo, by CMake, and for no Python in particular."""
    return sample(combination) or representative(combination)


def sample_without_a_library(combination: Combination) -> bool:
    """One of each host that compiles nothing but its own files; what it makes is for every later Python as well."""
    return sample(combination) and combination.bridge in {"pyo3", "ctypes"}


def one_of_each_kernel_kind(combination: Combination) -> bool:
    """Those that compile fastest."""
    return combination in {("ctypes", "cu"), ("pyo3", "rust")}


def builds_with_isolation(combination: Combination) -> bool:
    """One of the host in C++; test_try.py has one of that in Rust. What the others ask for is checked, and is what they are
    built with, but not installed anew."""
    return sample(combination) and representative(combination) and host(combination.bridge) == "cpp"


def meets_every_library(combination: Combination) -> bool:
    """Whose arrays and functions JAX and Dask get: adapters are the same Python for all bridges."""
    return sample(combination)


def is_compiled_file_by_file(combination: Combination) -> bool:
    """Whose C++ is in no editable install that is tested: files of a folder are compiled as one in wheels."""
    return host(combination.bridge) == "rust" and not sample_or_representative(combination)


def compiles_for_the_gpu(combination: Combination) -> bool:
    """Whose functions for the runtime's tests nvcc compiles; in the others the C++ compiler reads the same files."""
    return representative(combination)


def is_for_every_gpu(combination: Combination) -> bool:
    """Whose wheel is for all GPUs, as it is shipped; in those of the others, which have the same kernels, one will do."""
    return representative(combination)


def representative_that_compiles_fastest(combination: Combination) -> bool:
    """One of each kernel kind."""
    return combination in {("nanobind", "cu"), ("pyo3", "rust")}


def of_the_contract_elsewhere(combination: Combination) -> list[str]:
    """Files of the contract that the package which stands for this one proves: ci/shared-tests.txt."""
    other = stands_for(combination)
    if combination == other:
        return []
    files = configparser.ConfigParser(allow_no_value=True)
    files.optionxform = str
    files.read(ROOT / "ci/shared-tests.txt")
    same_files = layer(combination.bridge)["includes"] == layer(other.bridge)["includes"]
    return [*files["host"], *(files["bridge"] if same_files else ())]


class Proof(NamedTuple):
    tests: str  # a file, or one function of it
    of: Callable[[Combination], bool]
    why: str


PROOFS = (
    # Builds.
    Proof("test_failures.py", representative, "what a build needs is a matter of host and kernels"),
    Proof(
        "test_readme.py::test_what_did_not_change_is_not_compiled_again", representative, "files of host and kernels"
    ),
    Proof(
        "test_readme.py::test_kernels_are_compiled_for_the_gpu_that_is_asked_for",
        representative,
        "files of host and kernels",
    ),
    Proof(
        "test_readme.py::test_an_edited_kernel_is_rebuilt_on_import",
        sample_or_representative,
        "files of host and kernels",
    ),
    Proof(
        "test_readme.py::test_edited_host_code_is_rebuilt_on_import",
        sample_or_representative,
        "files of host and kernels",
    ),
    Proof(
        "test_readme.py::test_a_kernel_can_be_added",
        representative,
        "as its reader types it; in the others it is one of the strict builds of test_strict.py",
    ),
    Proof(
        "test_wheel.py::test_wheel_of_the_sdist_is_the_wheel_of_the_tree",
        sample_without_a_library,
        "in the others, that no path of the build is in the wheel",
    ),
    Proof("test_add.py", one_of_each_kernel_kind, "it differs with the language of the kernels alone"),
    Proof("test_doctor.py", representative_that_compiles_fastest, "what is in a wheel differs with the kernels"),
    Proof(
        "test_doctor.py::test_what_nvcc_accepts_is_what_its_header_says",
        lambda combination: combination.kernels == "cu",
        "others need no nvcc",
    ),
    # Suites. All are run on Python 3.11, with the wheel.
    Proof(
        "test_suite.py::test_suite_on_313",
        lambda combination: sample_without_a_library(combination) and not first(combination),
        "with the wheel from 3.11, as on 3.12 below; others are built for 3.13 by test_strict.py, and imported",
    ),
    Proof("test_suite.py::test_cuda_is_demanded", representative, "the same conftest.py, and an error of the host"),
    Proof("test_wheel.py::test_wheel_passes_the_tests_of_cibuildwheel", first, "on 3.12; one bridge is enough"),
    # Files that are the same for all bridges.
    Proof("test_benchmarks.py::test_dask_has_as_many_workers_as_are_asked_for", first, "the same script"),
    Proof("test_readme.py::test_benchmark_draws_its_plot", first, "the same file"),
    Proof("test_rust.py::test_cargo_test", representative, "the same crates, as test_rust.py sees"),
    Proof("test_rust.py::test_an_installer_of_rust_that_was_changed_is_not_run", first, "the same file"),
    Proof("test_rust.py::test_where_rustup_is_it_installs_the_same_version", first, "the same file"),
    Proof("test_rust.py::test_wheels_are_of_the_crates_that_are_locked", first, "the same files of CMake"),
    Proof(
        "test_rust.py::test_no_header_of_cxx_is_made_while_what_includes_it_is_compiled",
        lambda combination: combination == ("cxx", "cu"),
        "others have no such header, or the same files of CMake",
    ),
    Proof("test_pre_commit.py", sample, "the same hooks; test_lint.py has the formatters for all"),
    Proof(
        "test_types.py",
        sample_without_a_library,
        "the same Python, but for that of ctypes; test_strict.py asks mypy about all, with one more kernel",
    ),
    Proof("test_rust_kernels.py", lambda combination: combination == ("pyo3", "rust"), "one kernel, for that package"),
)

# What takes longest goes first, so that of two workers none waits long for the other at the end.
LONG = (
    "test_ptx.py",
    "test_examples.py",
    "test_cpp.py",
    "test_try.py",
    "test_new_bridge.py",
    "test_export.py",
    "test_lint.py",
    "test_update.py",
)


def is_proved_of(file: str, test: str, combination: Combination) -> bool:
    """Whether function `test` of `file` is for this combination."""
    return all(proof.of(combination) for proof in PROOFS if proof.tests in {file, f"{file}::{test}"})


def turn(scope: str) -> int:
    """When a combination, or a file of tests that are about none, has its turn."""
    named = [combination for combination in combinations() if str(combination) == scope]
    if named:
        return 2 - representative(named[0]) - sample_or_representative(named[0])
    return 1 if scope in LONG else 3
