"""Kernels written in Rust: their PTX is what the sources give, GPUs old and new take it, and it is never stale."""

import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from environment import COMPILER, SUGGESTED, Environment
from files import append, program, replace
from generator import scaffold, unpack
from shell import ROOT, run

pytestmark = pytest.mark.night

ZERO = "kernels_zero"  # which all images have
KERNELS = {
    "axpy": {f"axpy_{dtype}{end}" for dtype in ("f32", "f64") for end in ("", "_walked")} | {ZERO},
    "dot": {f"dot_{dtype}_{part}" for dtype in ("f32", "f64") for part in ("parts", "total")} | {ZERO},
}
CRATE = "build/cuvec_runtime/kernels"
BACKEND = "build/cuvec_runtime/backend/cuvec_build"
FLAGS = f"{BACKEND}/ptx/compiler.py"
OF_TESTS = ROOT / "tests/conformance/kernels/rust"
NO_COMPILER = {"KERNELS_RUSTC": "/nowhere/rustc"}


@pytest.fixture(scope="module")
def tree(folder: Path) -> Path:
    """A package as it is scaffolded, with the runtime unpacked. Nobody builds in it."""
    package = scaffold(folder / "mypkg", kernels="rust")
    unpack(package)
    return package


@pytest.fixture
def other(tree: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copytree(tree, tmp_path / "mypkg"))


@pytest.fixture(scope="module")
def tools(folder: Path) -> Environment:
    return Environment(folder / "tools", "3.11", "cuda-toolkit[nvcc]==13.0.*")


def build(tools: Environment, package: Path, folder: str | Path, work: Path, ok: bool = True, **env: str):
    """Does what a build does; returns the PTX of each file, or what it printed if that is to fail."""
    images = work / "ptx"
    shutil.rmtree(images, ignore_errors=True)
    command = (tools.bin / "python", package / BACKEND / "for_cmake.py", "ptx", package / folder, work, images)
    shown = run(*command, ok=ok, env={"PATH": tools.path} | env)
    return shipped(work) if ok else " ".join(shown.split())


@pytest.fixture
def ptx(tools: Environment, tmp_path: Path):
    def of_package(package: Path, ok: bool = True, **env: str):
        return build(tools, package, "kernels", tmp_path / "build", ok, **env)

    return of_package


@pytest.fixture(scope="module")
def of_tests(tools: Environment, tree: Path, folder: Path) -> Path:
    """A folder with PTX of the kernels that conformance tests call: everything that kernels in Rust may say."""
    cache, work = folder / "cache", folder / "of-tests"
    kernels = shutil.copytree(OF_TESTS, work / "kernels", ignore=shutil.ignore_patterns("Cargo.*", "ptx"))
    build(tools, tree, kernels, work, KERNELS_RUSTC=COMPILER, CUVEC_CACHE=str(cache))
    return work


def shipped(folder: Path) -> dict[str, str]:
    return {file.stem: file.read_text() for file in (folder / "ptx").glob("*.ptx")}


def entries(text: str) -> set[str]:
    return set(re.findall(r"^\.visible \.entry (\w+)\(", text, flags=re.MULTILINE))


def times(package: Path) -> dict[str, int]:
    return {file.stem: file.stat().st_mtime_ns for file in (package / "kernels/ptx").glob("*.ptx")}


def test_the_ptx_is_what_the_sources_give(tree: Path, other: Path, of_tests: Path, ptx) -> None:
    """Wherever the package is. And Rust's library is compiled once for all packages."""
    cache = of_tests.parent / "cache"
    made = {path: path.stat().st_mtime_ns for path in cache.rglob("*.rlib")}
    assert len(made) == 2  # core, and the one that is empty
    shutil.rmtree(other / "kernels/ptx")
    compiled = ptx(other, KERNELS_RUSTC=COMPILER, CUVEC_CACHE=str(cache))
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.rlib")} == made
    before = shipped(tree / "kernels")
    assert before.keys() == compiled.keys()
    for name, text in before.items():
        if compiled[name] != text:
            compilers = [it.splitlines()[2] for it in (text, compiled[name])]
            pytest.fail(f"{name}: {compilers}: CONTRIBUTING.md says how to bring PTX up to date")
    assert shipped(other / "kernels") == compiled, "the tree was not brought up to date"


def test_each_kernel_of_the_conformance_tests_is_compiled(of_tests: Path) -> None:
    assert len(shipped(of_tests)) == len(list(OF_TESTS.glob("*.rs"))) - 1  # lib.rs


def test_the_version_of_ptx(tree: Path, of_tests: Path) -> None:
    """Drivers of CUDA 10 and later take it, and GPUs from compute capability 7.5 on; with tensor cores, CUDA 11 and 8.0."""
    for text in [*shipped(tree / "kernels").values(), *shipped(of_tests).values()]:
        version, target = ("7.0", "sm_80") if "mma.sync" in text else ("6.3", "sm_75")
        assert f"\n.version {version}\n.target {target}\n" in text


def test_no_compiler_is_needed_without_an_edit(tree: Path, other: Path, ptx) -> None:
    """Not even after git has turned the line endings of all files, as it may on Windows."""
    sources = [*other.glob("kernels/**/*"), *(other / CRATE).glob("**/*.rs"), *other.glob(f"{BACKEND}/**/*.py")]
    for path in filter(Path.is_file, sources):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    built = ptx(other, **NO_COMPILER)
    assert {name: text.replace("\r\n", "\n") for name, text in built.items()} == shipped(tree / "kernels")


def test_brackets_in_a_path_are_no_pattern(tree: Path, tools: Environment, tmp_path: Path) -> None:
    """Neither for kernels that are there, nor for one that was deleted; for which no compiler is needed."""
    package = Path(shutil.copytree(tree, tmp_path / "[work]/mypkg"))
    assert build(tools, package, "kernels", tmp_path / "build", **NO_COMPILER) == shipped(tree / "kernels")
    (package / "kernels/dot.rs").unlink()
    build(tools, package, "kernels", tmp_path / "build", **NO_COMPILER)
    assert shipped(package / "kernels").keys() == {"axpy"}


@pytest.mark.parametrize("where", ["kernels/dot.rs", f"{CRATE}/src/grid/sum.rs"])
@pytest.mark.parametrize("change", ["edited", "renamed", "other flags", "other crate"])
def test_stale_ptx_is_refused(change: str, where: str, other: Path, ptx) -> None:
    source = other / where
    if change == "edited":
        append(source, "// edited\n")
    elif change == "renamed":
        source.rename(source.with_name("other.rs"))
    elif change == "other crate":
        replace(other / "kernels/Cargo.toml", 'edition = "2024"', 'edition = "2021"')
    else:
        replace(other / FLAGS, "sm_75", "sm_80")
    shown = ptx(other, ok=False, **NO_COMPILER)
    assert SUGGESTED in shown
    assert "/nowhere/rustc" in shown


def test_an_edit_compiles_the_files_that_read_it(other: Path, ptx) -> None:
    append(other / "kernels/dot.rs", "#[inline(always)]\npub fn root(x: f64) -> f64 {\n    x.sqrt()\n}\n")
    ptx(other, KERNELS_RUSTC=COMPILER)
    before = times(other)
    (other / "kernels/norm.rs").write_text(NORM)
    ptx(other, KERNELS_RUSTC=COMPILER)
    assert {name: time for name, time in times(other).items() if name != "norm"} == before
    append(other / "kernels/axpy.rs", "// edited\n")
    shown = ptx(other, ok=False, **NO_COMPILER)
    assert "the PTX of axpy, in" in shown
    append(other / "kernels/dot.rs", "// edited\n")  # which norm names
    assert "the PTX of axpy, dot, norm, in" in ptx(other, ok=False, **NO_COMPILER)


@pytest.mark.parametrize("script", [f"{BACKEND}/ptx/tools.py", f"{BACKEND}/ptx/sources.py", f"{CRATE}/list.rs"])
def test_an_edit_of_what_does_not_decide_needs_no_compiler(script: str, other: Path, ptx) -> None:
    append(other / script, "// edited\n" if script.endswith(".rs") else "# edited\n")
    ptx(other, **NO_COMPILER)


def test_a_file_from_elsewhere_is_refused(other: Path, ptx) -> None:
    """An edit of it would not be noticed."""
    (other / "table.txt").write_text("2.0")
    append(other / "kernels/axpy.rs", 'const _: &str = include_str!("../table.txt");\n')
    shown = ptx(other, ok=False, KERNELS_RUSTC=COMPILER)
    assert "kernels/axpy.rs reads" in shown
    assert "mypkg/table.txt, and an edit of that would not be noticed" in shown


def test_ptx_that_was_edited_is_noticed(other: Path, ptx) -> None:
    file = other / "kernels/ptx/axpy.ptx"
    file.write_text(file.read_text().replace("add.", "sub."))
    assert "the PTX of axpy, in" in ptx(other, ok=False, **NO_COMPILER)


def test_what_is_linked_with_another_library_is_compiled_again(other: Path, tmp_path: Path, ptx) -> None:
    """As when somebody has emptied the cache: the compiler would not find what the crates were linked with."""
    for edit in ("// edited\n", "// again\n"):
        append(other / "kernels/dot.rs", edit)
        ptx(other, KERNELS_RUSTC=COMPILER)
        (folder,) = (tmp_path / "build").glob("gpu-*")
        note, old = folder / "library", folder / "old"
        assert not old.exists()
        old.touch()
        note.write_text("of another library")


def test_an_edit_in_a_folder_of_the_kernels_is_noticed(other: Path, ptx) -> None:
    parts = other / "kernels/parts"
    parts.mkdir()
    (parts / "mod.rs").write_text('pub const SCALE: f32 = 2.0;\nconst _: &str = include_str!("scale.txt");\n')
    (parts / "scale.txt").write_text("3.0")
    (other / "kernels/lib.rs").write_text("pub mod parts;\n")
    ptx(other, KERNELS_RUSTC=COMPILER)
    ptx(other, **NO_COMPILER)  # it is not compiled again
    for file in parts.iterdir():
        before = file.read_text()
        file.write_text(before.replace("0", "5"))
        assert "the PTX of axpy, dot, in" in ptx(other, ok=False, **NO_COMPILER)
        file.write_text(before)


@pytest.mark.parametrize("rustup", ["without compilers", "without sources", "too old"])
def test_a_compiler_that_will_not_do(rustup: str, other: Path, ptx, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    scripts = {"rustup": f"echo {programs}/rustc", "rustc": f"echo {tmp_path}"}
    problem = "has no sources of its library"
    if rustup == "without compilers":
        scripts["rustup"] = "exit 1"
        problem = "rustup has no compiler"
    elif rustup == "too old":
        scripts["rustc"] = f'[ "$1" = --version ] && echo "rustc 1.85.0 (4d91de4e4)" || echo {tmp_path}'
        library = tmp_path / "lib/rustlib/src/rust/library/core/src"
        library.mkdir(parents=True)
        (library / "lib.rs").touch()
        problem = "is 1.85, and kernels need 1.92 or later"
    for name, script in scripts.items():
        program(programs / name, script)
    (other / "kernels/axpy.rs").write_text("")
    shown = ptx(other, ok=False, KERNELS_RUSTC="", PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert problem in shown
    assert SUGGESTED in shown


NORM = """use crate::prelude::*;

kernel! {
    norm(x: &f64[...]) -> f64
    fold (x) {
        start: Sum::<f64>::ZERO,
        add: |sum, x| sum.plus_product(x, x),
        merge: Sum::plus,
        value: |sum| super::dot::root(sum.value()),
    }
}
"""

ADDED = """use crate::prelude::*;

kernel! {
    added<T: f32, I: i64>(x: &T[...], i: &I[...]) -> y: T[...] { *y = x * i as T }
}
"""


def test_an_edit_is_compiled_without_warnings(other: Path, ptx) -> None:
    (other / "kernels/added.rs").write_text(ADDED)
    replace(other / FLAGS, '"-Copt-level=3",', '"-Dwarnings", "-Copt-level=3",')
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    assert {name: entries(text) for name, text in compiled.items()} == KERNELS | {
        "added": {"added_f32_i64", "added_f32_i64_walked", ZERO}
    }
    assert shipped(other / "kernels") == compiled


def test_a_checked_build_leaves_the_tree_alone(tree: Path, other: Path, ptx) -> None:
    checked = ptx(other, KERNELS_RUSTC=COMPILER, KERNELS_CHECKED="1")
    assert {name: entries(text) for name, text in checked.items()} == KERNELS
    assert checked != shipped(tree / "kernels") == shipped(other / "kernels")


def test_memory_is_accessed_16_bytes_at_a_time(tree: Path) -> None:
    text = "".join(shipped(tree / "kernels").values())
    functions = re.split(r"^\.visible \.", text, flags=re.MULTILINE)
    bodies = {body.split("(")[0].removeprefix("entry "): body for body in functions}
    for name, loads in (("axpy_f32", 1), ("axpy_f64", 1), ("dot_f32_parts", 10), ("dot_f64_parts", 10)):
        assert bodies[name].count("ld.global.nc.v4.b32") == loads, name
        assert "ld.local" not in bodies[name]
    assert "st.global.v4.b32" in bodies["axpy_f32"]
    assert "st.global.v2.b64" in bodies["axpy_f64"]


def test_a_row_is_loaded_once(of_tests: Path) -> None:
    """Registers keep the packs or elements of each thread for three steps. Each of these loads a row that is too long again."""
    text = shipped(of_tests)["softmax"]
    for end, loads, size in (
        ("packs", 4, "v4.b32"),
        ("short", 4, "v4.b32"),
        ("long", 8, "v4.b32"),
        ("singles", 16, "b32"),
    ):
        kernel = text[text.index(f".entry softmax_f32_y_{end}_kept(") :].split("\n}\n")[0]
        assert "\n.maxntid 1024, 1, 1\n" in kernel, end
        assert kernel.count(f"ld.global.{size}") == loads, end
    kernel = text[text.index(".entry softmax_f32_y_in_packs(") :].split("\n}\n")[0]
    assert kernel.count("ld.global.v4.b32") >= 3 * 2
    for text in shipped(of_tests).values():
        # A function that is called has the row in memory.
        assert not any(".local" in it for it in text.split("\n}\n") if ".maxntid" in it)


def test_memory_is_accessed_as_what_it_is(tree: Path, of_tests: Path) -> None:
    """Arrays as global memory, and what a block shares as shared memory. The exception is an exchange of a part of a word, which
    loads the word first."""
    generic = re.compile(r"\t(?:ld|st)(?:\.v[24])?\.[bsu]\d+ [^[]*\[%rd")
    exchange = re.compile(r"\tatom\.relaxed\.sys\.cas\.b32 ")
    shared, exchanged = 0, set()
    for text in [*shipped(tree / "kernels").values(), *shipped(of_tests).values()]:
        for kernel in re.split(r"^\.visible \.entry ", text, flags=re.MULTILINE)[1:]:
            body = kernel.split("\n}\n")[0]
            shared += ".shared." in body
            if exchange.search(body):
                exchanged.add(kernel.partition("_")[0])
                continue
            assert not generic.search(body), kernel.split("(")[0]
    assert shared > 50
    assert exchanged == {"peaks", "tally"}


@pytest.fixture
def ptxas(tools: Environment, tmp_path: Path):
    """Assembles PTX, with few spills of registers if any; returns the number of registers of each kernel."""
    (program,) = tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu*/bin/ptxas")

    def assemble(architecture: str, source: Path) -> dict[str, int]:
        if architecture != "sm_75":
            text = re.sub(r"(?m)^.* // from sm_8[09]: ", "", source.read_text())
            text = re.sub(r"(?m)^[.]version .*\n[.]target sm_.*", ".version 8.1\n.target sm_89", text)
            source = tmp_path / source.name
            source.write_text(text)
        shown = run(program, "-v", "-warn-spills", f"-arch={architecture}", source, "-o", tmp_path / "kernels.cubin")
        assert shown.count("warning") == shown.count("warning : Registers are spilled")
        # A thread that keeps a row has 64 or 128 registers, and may leave out a few bytes.
        few = 256 if ".maxntid" in source.read_text() else 0
        kernels = re.split(r"Compiling entry function '(\w+)'", shown)
        found = {}
        for name, text in zip(kernels[1::2], kernels[2::2], strict=True):
            # The kernel's own come first. What libm stores to raise a flag is on the stack.
            stores, loads = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", text).groups()
            assert max(int(stores), int(loads)) <= few, name
            found[name] = int(re.search(r"Used (\d+) registers", text)[1])
        return found

    return assemble


@pytest.mark.parametrize("where", ["of a package", "of tests"])
@pytest.mark.parametrize("architecture", ["sm_75", "sm_90", "sm_100", "sm_120"])
def test_ptxas(architecture: str, where: str, tree: Path, of_tests: Path, ptxas) -> None:
    folder = tree / "kernels" if where == "of a package" else of_tests
    for file in folder.glob("ptx/*.ptx"):
        if "mma.sync" in file.read_text():
            continue  # for tensor cores, which hold sums in all registers
        registers = ptxas(architecture, file)
        assert set(registers) == entries(file.read_text()) >= KERNELS.get(file.stem, {ZERO})
        if file.stem == "elementary":  # all functions of `Float` in one
            continue
        if ".maxntid" in file.read_text():  # which keep rows
            assert max(registers.values()) <= 128, "a block of 512 threads does not fit on a multiprocessor"
        else:
            registers.pop("many_walked", None)  # of 32 arguments, where each is found
            assert max(registers.values()) <= 80, "fewer than three blocks of 256 threads fit on a multiprocessor"


def test_the_recipes(other: Path, ptx, ptxas) -> None:
    """A matrix by warps, shared memory, two passes with scratch memory."""
    for file in (ROOT / "bench/kernels/rust").glob("*.rs"):
        shutil.copy(file, other / "kernels")
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    assert "red.shared.add.u32" in compiled["histogram"].split(".entry histogram_f32_over_x(")[1]
    assert compiled["gemv"].split(".entry gemv_f32_y(")[1].count("ld.global.nc.v4.b32") >= 10
    for architecture in ("sm_75", "sm_90"):
        assert ptxas(architecture, other / "kernels/ptx/blur.ptx").keys() >= {"blur_f64_rows", "blur_f64_result"}


ROTATED = """use crate::prelude::*;
use num_complex::Complex as Number;

kernel! {
    /// The real part of `x`, turned by an angle, and rounded to 16 bits.
    turned(x: &f32[...], angle: f32) -> y: f32[...] {
        let turned = Number::new(x, 0.0) * Number::new(libm::cosf(angle), libm::sinf(angle));
        *y = half::f16::from_f32(turned.re).to_f32()
    }
}
"""


def test_crates_are_compiled_for_the_gpu(other: Path, ptx) -> None:
    """And a new version of one, or of a folder's, is noticed."""
    manifest = other / "kernels/Cargo.toml"
    mine = other / "mine"
    (mine / "src").mkdir(parents=True)
    (mine / "Cargo.toml").write_text('[package]\nname = "mine"\nedition = "2024"\n')
    (mine / "src/lib.rs").write_text("#![no_std]\n#[inline(never)]\npub fn twice(x: f32) -> f32 { 2.0 * x }\n")
    crates = 'half = { version = "2", default-features = false }\nlibm = "0.2"\nmine = { path = "../mine" }\n'
    crates += 'num-complex = { version = "0.4", default-features = false }\n'
    manifest.write_text(manifest.read_text().rstrip() + "\n" + crates)
    (other / "kernels/turned.rs").write_text(ROTATED.replace("turned.re)", "mine::twice(turned.re))"))
    lock = other / "Cargo.lock"
    run("cargo", "update", "--workspace", cwd=other)
    assert 'name = "half"' in lock.read_text()
    compiled = ptx(other, KERNELS_RUSTC=COMPILER)
    assert entries(compiled["turned"]) == {"turned", "turned_walked", ZERO}
    ptx(other, **NO_COMPILER)
    replace(mine / "src/lib.rs", "2.0", "3.0")
    assert "the PTX of axpy, dot, turned, in" in ptx(other, ok=False, **NO_COMPILER)


def test_the_lock_of_kernels_is_the_runtimes() -> None:
    """A build puts it next to a manifest that has none."""
    crates = [
        tomllib.loads((ROOT / "runtime" / path).read_text())["package"]
        for path in ("kernels/kernels.lock", "Cargo.lock")
    ]
    own = [crate for crate in crates[0] if crate["name"] != "kernels"]  # the crate next to the lock
    assert [crate for crate in crates[1] if crate in own] == own
    ours = {"cuvec-declare", "cuvec-kernels", "cuvec-kernels-macro", "cuvec-spec", "kernels"}
    assert {crate["name"] for crate in crates[0]} == ours | {"libm", "strsim"}
