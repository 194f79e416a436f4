"""The pages of docs/reference name every variable and setting that the code reads, and every name that kernels and `src/` use."""

import re

from pages import read
from shell import ROOT, run

VARIABLE = re.compile(r'(?:environ(?:\.get\(|\[)"|\bvar(?:_os)?\("|ENV\{)(\w+)')
SETTING = re.compile(r"^\s*(?:option\((\w+) |set\((\w+) .* CACHE )", re.MULTILINE)
# Variables that a build sets for the programs that it starts, and those that every environment has.
NOT_FOR_READERS = {"LC_ALL", "CARGO_MANIFEST_DIR", "CARGO_PKG_VERSION", "CMAKE", "OUT_DIR", "CUVEC_HIDES_GLIBC"}
NOT_FOR_READERS |= {"_CUVEC_MODULES", "CARGO_CFG_TARGET_ARCH", "CUVEC_CUDA", "CUVEC_INCLUDE", "CUVEC_LINK"}
NOT_FOR_READERS |= {"KERNELS_FILES", "KERNELS_IMAGES", "SWIG_DIR", "SWIG_EXECUTABLE"}
# Declarations at the top level of a header or a module: the line is not indented.
IN_C = re.compile(
    r"^(?![ /}])(?:#define (\w+)|(?:template <.*>\s)?[^()=#\n]*?\b(?:(?:struct|class|using) (\w+)|(\w+)\())",
    re.MULTILINE,
)
USED = re.compile(r'//.*|"(?:\\.|[^"\\\n])*"|(\w+)')  # outside of comments and strings


def headers(names: str) -> list[str]:
    return [f"runtime/include/cuvec/{name}" for name in names.split()]


def declared(pattern: re.Pattern[str], *files: str) -> set[str]:
    return {"".join(names) for names in pattern.findall(read(*files))}


def used(*files: str) -> set[str]:
    return set(USED.findall(read(*files)))


def named(page: str, start: str, end: str) -> set[str]:
    """On the page, the part of runtime/README.md that it includes, and the page of the signature."""
    included = read("runtime/README.md").partition(start)[2].partition(end)[0]
    return set(re.findall(r"\w+", included + read(f"docs/reference/{page}.md", "docs/reference/signature.md")))


def test_variables_and_settings() -> None:
    code = ("generator/*.rs", "runtime/backend/*.py", "runtime/cuvec/*.py", "runtime/*.rs", "runtime/*.cmake")
    sources = read(*code, ":!runtime/*/tests/*.py")
    found = set(VARIABLE.findall(sources)) | {option or entry for option, entry in SETTING.findall(sources)}
    assert {"CUVEC_DEVICE", "CUVEC_CACHE", "DEBUG_KERNELS", "STRICT"} <= found
    page = set(re.findall(r"\w+", read("docs/reference/environment.md")))
    assert found - page - NOT_FOR_READERS == set()
    assert found >= NOT_FOR_READERS


def test_names_of_cuvec_h() -> None:
    files = "at_most.h atomic.h buffer.h call.h class.h cpu.h device.h failure.h reduce.h sum.h types.h view.h"
    names = declared(IN_C, *headers(files)) & used("*/kernels/*.cu")
    assert {"CUVEC_CLASS", "In", "block_reduce", "threads_for"} <= names
    methods = set(re.findall(r"\bcall\.(\w+)", read("*/kernels/*.cu")))
    assert {"launch", "scratch"} <= methods
    assert (names | methods) - {"alignas"} - named("cuvec-h", "### CUDA C++", "### Rust") == set()


def test_names_of_kernel() -> None:
    prelude = re.search(r"pub mod prelude \{(.*?)^\}", read("runtime/kernels/src/lib.rs"), re.DOTALL | re.MULTILINE)[1]
    names = {
        name for names in re.findall(r"\{([^{}]*)\}|::(\w+);", prelude) for name in re.findall(r"\w+", "".join(names))
    }
    assert {"Sum", "fast", "fail_if", "Float"} <= names
    assert names - named("kernel-macro", "### Rust", "## Native code in") == set()


def test_names_for_native_code() -> None:
    names = declared(IN_C, *headers("api.hpp cpython.h ctypes.h nanobind.h pybind11.h")) & used("templates/b*/**/src/*")
    assert {"Array", "Bodies", "add_class"} <= names
    assert names - {"init", "required"} - named("api-h", "## Native code in", "## Existing sources") == set()


def test_names_of_the_crate_for_native_code() -> None:
    exported = re.findall(r"^pub (?:use|type) (.*)", read("runtime/rust/src/lib.rs"), re.MULTILINE)
    names = {name for line in exported for name in re.findall(r"\w+", re.sub(r"^\w+::|[<=].*", "", line))}
    names |= set(re.findall(r"^#\[macro_export\]\nmacro_rules! (\w+)", read("runtime/rust/src/*.rs"), re.MULTILINE))
    assert {"from_fn", "Stream", "CuVec", "names", "require"} <= names
    listed = read("docs/reference/rust-api.md").partition("## Every name")[2]
    assert names - {"required"} - set(re.findall(r"\w+", listed)) == set()


def test_files_and_version_that_architecture_names() -> None:
    text = read("ARCHITECTURE.md")
    tracked = run("git", "ls-files", cwd=ROOT).split()
    named_files = re.findall(r"`([\w./-]+\.(?:cmake|cpp|h|hpp|i|py|rs|S))`", text)
    assert len(named_files) > 80
    assert [name for name in named_files if not any(f"/{path}".endswith(f"/{name}") for path in tracked)] == []
    (version,) = re.findall(r"CUVEC_ABI = (\d+)", read("runtime/include/cuvec/abi.h"))
    assert re.findall(r"\(ABI (\d+)\)", text + read("runtime/CHANGELOG.md")) == [version, version]


def test_names_of_the_python_module() -> None:
    exported = re.search(r"__all__ = \[(.*?)\]", read("runtime/cuvec/__init__.py"), re.DOTALL)[1]
    names = set(re.findall(r"\w+", exported))
    assert {"CuVec", "dev_sync"} <= names
    assert names - set(re.findall(r"\w+", read("docs/reference/python.md"))) == set()
