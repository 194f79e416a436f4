"""A wrong declaration is an error when building, and names the file, the function and the fault."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from declarations import CLASSES, COMPILED, EACH, GCC, INCLUDE, READ, SIGNATURE, WRONG, Wrong, class_of, compile_command
from environment import Environment
from shell import ROOT, run

CONFORMANCE = ROOT / "tests/conformance/kernels/cu"
FOLDERS = ("templates/kernels/cu/kernels", "tests/conformance/kernels/cu")
PROJECT = f"""
cmake_minimum_required(VERSION 3.27...4.4)
project(declarations LANGUAGES CXX)
set(CUDA OFF)
include("{ROOT}/runtime/cmake/Functions.cmake")
"""
# Names that the runtime has for itself are free, though the file opens `cuvec`.
GOOD = Wrong("", body=EACH, before="struct Read {};\nstruct Index : Read {};\nstatic const Index word{};\n").text()
LAUNCHED = "__global__ void rows(In<float> x) {}\n"


HELPER = "template <class T> __host__ __device__ T at(In<T> x, int64 i) {\n  return x[i]; // of both\n}\n"
USES = "inline int at() { return HALO(); }\n"
# The code before the functions of two files, and whether both may have it.
TWICE = {
    "the same text": (HELPER, HELPER.replace("// of both", ""), True),
    "the names of parameters": (HELPER, HELPER.replace("i", "j").replace("jnt", "int"), False),
    "a body": (HELPER, HELPER.replace("x[i]", "x[i + 1]"), False),
    "other types": (HELPER, HELPER.replace("int64 i", "int i").replace("x[i]", "x[i + 1]"), True),
    "unnamed namespaces": (*(f"namespace {{\n{it}}}\n" for it in (HELPER, HELPER.replace("[i]", "[0]"))), True),
    "two namespaces": (f"namespace a {{\n{HELPER}}}\n", f"namespace b {{\n{HELPER.replace('[i]', '[0]')}}}\n", True),
    "one namespace": (*(f"namespace a {{\n{it}}}\n" for it in (HELPER, HELPER.replace("[i]", "[0]"))), False),
    "static": ("static " + HELPER, "static " + HELPER.replace("[i]", "[0]"), True),
    "inline functions": ("inline int at() { return 1; }\n", "inline int at() { return 2; }\n", False),
    "structs": ("struct Point { int at() { return 1; } };\n", "struct Point { int at() { return 2; } };\n", False),
    "comments and literals": (
        *(f'// inline int at() {{ return {i}; }}\nauto s = "inline int at() {{ {i}";\n' for i in (1, 2)),
        True,
    ),
    "a constant": (*(f"constexpr int HALO[2] = {{0, {i}}};\n{USES}" for i in (1, 2)), False),
    "a constant of two": (*(f"const int LESS = 0, HALO{{{i}}};\n{USES}" for i in (1, 2)), False),
    "a constant that is static": (*(f"namespace {{ const int HALO = {i}; }}\n{USES}" for i in (1, 2)), False),
    "one of an enumeration": (*(f"enum {{ LESS, HALO = {i} }};\n{USES}" for i in (1, 2)), False),
    "a type": (*(f"using HALO = {it};\n{USES}" for it in ("int", "long")), False),
    "a macro that it uses": (*(f"# define HALO \\\n  {i}\n{USES}" for i in (1, 2)), False),
    "what a helper uses": (
        *(f"const int LESS = {i};\nstatic int HALO(int x = 1) {{ return LESS * x; }}\n{USES}" for i in (1, 2)),
        False,
    ),
    "a constant in one file": (f"const int HALO = 1;\n{USES}", f'#include "halo.h"\n{USES}', False),
    "the same constant": (f"const int HALO = 1;\n{USES}", f"const int HALO  = 1; // cells\n{USES}", True),
    "a constant that it does not use": (*(f"const int LESS = {i};\n{USES}" for i in (1, 2)), True),
    "macros": (*(f"#define AT(x) \\\n  inline int at() {{ return {i}; }}\n" for i in (1, 2)), True),
}


@pytest.mark.parametrize("case", TWICE)
def test_two_definitions_of_one_name(case: str, build_program: Path, tmp_path: Path) -> None:
    """The linker would take one of them for both files."""
    *texts, is_right = TWICE[case]
    files = [tmp_path / "first.cu", tmp_path / "second.cu"]
    for file, text in zip(files, texts, strict=True):
        file.write_text(Wrong("", body=EACH, before=text).text().replace("wrong", file.stem))
    output = run(build_program, "read", tmp_path / "declarations", *files, ok=is_right)
    name = "Point" if case == "structs" else "at"
    message = f"second.cu:{{}}: error: `{name}` is in kernels/first.cu too, and differs: both would be linked to one"
    assert bool(re.search(re.escape(message).replace(r"\{\}", r"\d+:\d+"), output)) != is_right


@pytest.mark.parametrize("fault", COMPILED)
def test_a_wrong_body_does_not_compile(fault: str, build_program: Path, tmp_path: Path) -> None:
    """The first message of a build names the function; the lines of the compiler follow."""
    file = tmp_path / "wrong.cu"
    file.write_text(COMPILED[fault].text())
    first, *output = run(*compile_command(build_program, file, *GCC), ok=False).splitlines()
    assert any(re.search(r"error.*\bcuvec:", line) and COMPILED[fault].message in line for line in output)
    what = re.fullmatch(rf"{re.escape(str(file))}:\d+:\d+: error: (.*)", first)[1]
    assert re.search(r"\b(wrong|right)\b", what)
    assert not re.search(r"\b(function F|class C)\b", what)


def test_a_wrong_parameter_is_told_in_one_line(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text(WRONG["gpu with another dtype"].text())
    output = run(*compile_command(build_program, file, *GCC), ok=False)
    (line,) = (line for line in output.splitlines() if "error" in line and "WrongType" in line)
    has, must = (
        "detail::Has<cuvec::View<short int, 1, cuvec::Contiguous> >",
        "detail::MustHave<cuvec::View<signed char, 1, cuvec::Contiguous> >",
    )
    assert (
        f"cuvec::detail::WrongType<cuvec_declared::wrong, cuvec::detail::Parameter<1>, cuvec::{has}, cuvec::{must} >"
        in line
    )


@pytest.mark.parametrize("text", [GOOD, class_of().text()], ids=["function", "class"])
def test_the_same_without_a_fault_compiles(text: str, build_program: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text(text)
    run(*compile_command(build_program, tmp_path / "wrong.cu", *GCC))


ONLY_CPU = "static void cpu(Out<int8_t>) {}"
ONLY_GPU = "static void gpu(Out<int8_t>) {}\n  static constexpr auto cpu = gpu_only;"
NEEDS_BOTH = "neither `each` nor `row` nor both `gpu` and `cpu`"


@pytest.mark.parametrize(
    ("body", "without_cuda", "with_cuda"),
    [(ONLY_CPU, True, False), (ONLY_GPU, True, True), ("static constexpr auto cpu = gpu_only;", True, False)],
    ids=["no gpu", "gpu_only", "gpu_only, no gpu"],
)
def test_without_cuda_no_code_for_gpus_is_needed(
    body: str, without_cuda: bool, with_cuda: bool, build_program: Path, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.cu"
    for text in (
        Wrong("", "wrong(x: inout int8(n))", body),
        Wrong("", "wrong<T: int8>(x: inout T(n))", template(body)),
    ):
        file.write_text(text.text())
        for options, ok in (((), without_cuda), (("-DCUVEC_CUDA",), with_cuda)):
            command = compile_command(build_program, file, *GCC, *options)
            assert (NEEDS_BOTH in run(*command, ok=ok)) == (not ok)


def template(body: str) -> str:
    """The same for a function with a variable."""
    return body.replace("static void", "template <class T> static void").replace("int8_t", "T")


LAUNCHES = {
    **dict.fromkeys(["(1ll << 31), 32", "(1ll << 32) + 1, 32", "-1, 32"], "blocks: CUDA takes 2147483647 at most"),
    **dict.fromkeys(["1, 0", "1, 1025", "1, (1ll << 32) + 32"], "threads: CUDA takes 1 to 1024"),
    "(1ll << 31) - 1, 1024": "",
}


def test_what_a_launch_cannot_say_is_not_cut_off(tmp_path: Path) -> None:
    """The numbers of CUDA have 32 bits."""
    tries = [f'try {{ Grid({grid}); puts(""); }} catch (std::exception &e) {{ puts(e.what()); }}' for grid in LAUNCHES]
    (tmp_path / "grids.cpp").write_text(
        "#include <cuvec.h>\n#include <cstdio>\nusing namespace cuvec;\nint main() {\n" + "\n".join(tries) + "\n}\n"
    )
    run("g++", "-std=c++17", "-I", INCLUDE, tmp_path / "grids.cpp", "-o", tmp_path / "grids")
    for said, expected in zip(run(tmp_path / "grids").splitlines(), LAUNCHES.values(), strict=True):
        assert said.endswith(expected)
        assert bool(said) == bool(expected)


NAMES = (
    *("norm", "erfc", "div", "log", "abs", "max", "index", "time", "exit", "linux", "unix", "main", "assert"),
    *("stdin", "exp"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_function_may_be_called_like_one_of_c(name: str, build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.cu"
    file.write_text(named(name))
    run(*compile_command(build_program, file, *GCC))


@pytest.mark.parametrize("name", ["Averager", "Filter", "Signal", "rms_norm"])
def test_kernels_compile_with_sanitizers(name: str, build_program: Path, tmp_path: Path) -> None:
    """GCC then takes fewer expressions for constants; `ci/sanitize` runs tests of what it makes."""
    file = shutil.copy(CONFORMANCE / f"{name}.cu", tmp_path)
    run(*compile_command(build_program, Path(file), *GCC, "-I", CONFORMANCE, "-fsanitize=address,undefined"))


@pytest.fixture(scope="module")
def cmake(folder: Path) -> Environment:
    tools = Environment(folder / "cmake", "3.11")
    tools.install("cmake>=3.27", "ninja")
    return tools


def configure(tools: Environment, folder: Path, files: dict[str, str], *, ok: bool = True) -> str:
    """Configures a project with these files as its kernels; what CMake says, on one line."""
    kernels = folder / "kernels"
    kernels.mkdir()
    for name, text in files.items():
        (kernels / name).write_text(text)
    (folder / "CMakeLists.txt").write_text(PROJECT)
    command = (tools.bin / "cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build")
    return " ".join(run(*command, env={"PATH": tools.path}, ok=ok).split())


def named(name: str, before: str = "") -> str:
    """A good file that declares the function `name`."""
    text = Wrong("", SIGNATURE, before=before).text()
    return (
        text.replace("struct wrong", f"struct {name}").replace('"wrong<', f'"{name}<').replace("(wrong)", f"({name})")
    )


@pytest.mark.parametrize("where", FOLDERS)
def test_the_kernels_that_there_are_pass(where: str, cmake: Environment, tmp_path: Path) -> None:
    files = {file.name: file.read_text() for file in (ROOT / where).glob("*.cu")}
    assert files
    configure(cmake, tmp_path, files)


def test_the_place_of_a_fault_is_marked(build_program: Path, tmp_path: Path) -> None:
    """All at once; a fault of one file keeps none of another from being told."""
    files = [tmp_path / f"wrong{turn}.cu" for turn in range(len(READ))]
    for file, wrong in zip(files, READ.values(), strict=True):
        file.write_text(wrong.text())
    said = run(build_program, "read", tmp_path / "declarations", *files, ok=False).splitlines()
    for file, wrong, place, line, mark in zip(files, READ.values(), said[::3], said[1::3], said[2::3], strict=True):
        column = int(re.fullmatch(rf"{re.escape(str(file))}:\d+:(\d+): error: .*", place)[1])
        assert wrong.message in place
        assert mark.index("^") == len("    ") + column - 1
        assert "signature =" in line


def test_structs_are_known_where_the_header_is(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    wrong = WRONG["a struct that is not declared"]
    for header, is_known in (("pair.cuh", True), ("other.cuh", False), ("elsewhere.cuh", True)):
        (tmp_path / "pair.cuh").write_text("CUVEC_STRUCT( right, a, b);\n")
        (tmp_path / "other.cuh").write_text("CUVEC_STRUCT(left, a);\n")
        file.write_text(f'#include "{header}"\n' + wrong.text())
        output = run(build_program, "read", tmp_path / "declarations", file, ok=is_known)
        assert ("`right` is not a dtype" in output) == (not is_known)


DTYPES = {
    "float23": "there is none of 23 bits; float dtypes are `float16`, `float32`, `float64`",
    "flaot64": "did you mean `float64`?",
    "half": "did you mean `float16`?",
    "double": "did you mean `float64`?",
    "f32": "did you mean `float32`?",
    "bfloat": "did you mean `bfloat16`?",
    "Float32": "did you mean `float32`?",
    "K": "a variable is declared before the arguments: `<K: float32, float64>(`",
    "Particle": "a struct is declared with CUVEC_STRUCT, in the file or in what it includes",
    "particle": "`float8_e8m0fnu`; a struct is declared with CUVEC_STRUCT, in the file or in what it includes",
    "text": "an option is one of several texts: `mode: {'a', 'b'} = 'a'`",
}


@pytest.mark.parametrize("word", DTYPES)
def test_an_unknown_dtype_is_named_and_what_was_meant(word: str, build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text(Wrong("", f"wrong(x: inout {word}(n))").text())
    place, *_ = run(build_program, "read", tmp_path / "declarations", file, ok=False).splitlines()
    assert f"error: `{word}` is not a dtype; " in place
    assert place.endswith(DTYPES[word])


@pytest.mark.parametrize(
    "variables",
    [
        "T: flaot64, float32",
        "T: float32, flaot64, float16",
        "T: float32, flaot64",
        "T: float32, flaot64, U: int32",
        "flaot64, float32",
    ],
)
def test_an_unknown_dtype_in_any_place_of_a_list(variables: str, build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text(Wrong("", f"wrong<{variables}>(x: inout T(n))").text())
    place, line, mark = run(build_program, "read", tmp_path / "declarations", file, ok=False).splitlines()
    assert place.endswith(f"error: `flaot64` is not a dtype; {DTYPES['flaot64']}")
    assert mark.index("^") == line.index("flaot64")


def test_variables_may_share_a_list(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "right.cu"
    file.write_text(Wrong("", "right<T: float32, I, J: int32>(x: T(n), i: I(n), y: inout J(n))").text())
    run(build_program, "read", tmp_path / "declarations", file)


def test_a_dtype_where_a_variable_must_be(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text(Wrong("", "wrong(x: int8(n)) -> real(int8)(n)").text())
    place, *_ = run(build_program, "read", tmp_path / "declarations", file, ok=False).splitlines()
    assert "error: `real` is of a dtype variable; " in place


MARKED = [
    ("wrong(x: inout ", "float23(n))"),
    ("wrong<T: ", "half>(x: inout T(n))"),
    ('wrong(x: int8(n))"\n     " -> y: int8(', "m)"),
    ("wrong(x: int8(n), ", "x: inout int8(n))"),
    ("wrong(x: inout int8(n)) ", "and more"),
    ("wrong<D: int8>(x: int8(n), d: D = ", "int16) -> D(n)"),
    ("wrong<D: int8>(x: D(n), ", "d: D = int8) -> D(n)"),
    ("wrong(x: inout int8(n), a: float64 = 1", "/0)"),
    ("wrong(x: inout int8(n), a: float64 = 1 + ", "sqrt(-2))"),
    ("wrong(x: inout int8(n), a: float64 = 2*4", "**0.5)"),
    ("wrong<D: int8>(x: inout int8(n), d: dtype(", "int8))"),
    ("wrong<D: int8>(x: D(n), ", "d: dtype(D)) -> D(n)"),
    ("wrong<T: int8>(y: T(n), x: ", "real(T)(n)) -> T(n)"),
    ("wrong(x: int8(", "at most n))"),
    ("wrong(x: int8(n)) -> int8(at most ", "k)"),
]


@pytest.mark.parametrize(("before", "fault"), MARKED)
def test_the_mark_is_under_the_fault(before: str, fault: str, build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text(Wrong("", before + fault).text())
    _, line, mark = run(build_program, "read", tmp_path / "declarations", file, ok=False).splitlines()
    assert line[mark.index("^") :].startswith(fault)


def test_the_mark_is_under_the_fault_of_a_method(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.cu"
    file.write_text(CLASSES["a dimension that neither the method nor the constructor gives"].text())
    place, line, mark = run(build_program, "read", tmp_path / "declarations", file, ok=False).splitlines()
    assert "`k` is not a dimension of any argument" in place
    assert line[mark.index("^") :].startswith("k)")


LITERALS = {
    "raw": """R"(wrong(
      x: float32(n),
      y: int8({fault}) -> float32(n)
    )\"""",
    "raw, of two": """R"(wrong(x: float32(n),)" R"of(
      y: int8({fault}) -> float32(n))of\"""",
    "adjacent": """"wrong(x: float32(n), " // the first
      "y: int8({fault}) -> float32(n)\"""",
    "continued": """"wrong(x: float32(n), \\
      y: int8({fault}) -> float32(n)\"""",
}


@pytest.mark.parametrize("form", LITERALS)
@pytest.mark.parametrize("is_method", [False, True], ids=["function", "method"])
def test_the_mark_is_in_its_line(is_method: bool, form: str, build_program: Path, tmp_path: Path) -> None:
    """Though comments and another text before it have the word `signature`."""
    file = tmp_path / "wrong.cu"
    wrong = class_of(method="HERE") if is_method else Wrong("", "HERE", before="// A signature.")
    head = '/* signature = "?" */ static const char *text = "signature = \\"";\n'
    for fault, ok in (("at most n)", False), ("n)", True)):
        literal = LITERALS[form].format(fault=fault)
        literal = literal.replace("wrong", "apply") if is_method else literal
        file.write_text(head + wrong.text().replace('"HERE"', literal))
        output = run(build_program, "read", tmp_path / "declarations", file, ok=ok)
        if not ok:
            place, line, mark = output.splitlines()
            assert "error: `at most` is of results; " in place
            assert line[mark.index("^") :].startswith(fault)
            assert file.read_text().splitlines()[int(place.split(":")[1]) - 1] == line.removeprefix("    ")


def test_signatures_that_there_are_pass(build_program: Path, tmp_path: Path) -> None:
    run(build_program, "read", tmp_path, *(file for folder in FOLDERS for file in (ROOT / folder).glob("*.cu")))


def test_a_build_shows_the_mark_before_it_compiles(cmake: Environment, tmp_path: Path) -> None:
    configure(cmake, tmp_path, {"good.cu": named("good"), "wrong.cu": WRONG["no such dtype"].text()})
    output = run(cmake.bin / "cmake", "--build", tmp_path / "build", env={"PATH": cmake.path}, ok=False)
    assert "wrong.cu:7:53: error: `float23` is not a dtype; there is none of 23 bits; " in output
    assert "good.cu.o" not in output


def test_a_build_says_in_a_line_what_is_wrong_with_a_body(cmake: Environment, tmp_path: Path) -> None:
    configure(cmake, tmp_path, {"wrong.cu": WRONG["gpu with another dtype"].text()})
    output = run(cmake.bin / "cmake", "--build", tmp_path / "build", env={"PATH": cmake.path}, ok=False)
    errors = [line for line in output.splitlines() if "error: " in line]
    assert errors[0].endswith("but `x: inout int8(n)` in the signature must be `Out<int8>`")
    assert "WrongType" in errors[1]


NEEDS_CUDA = {
    "#include <cub/device/device_scan.cuh>": "cub/device/device_scan.cuh",
    "#include <cooperative_groups.h>": "cooperative_groups.h",
    "static void work(cudaStream_t stream) {}": "cudaStream_t",
    "static cufftHandle plan = 0;": "cufftHandle",
    "static cuda::std::tuple<int> made;": "cuda",
    "static auto cubic = undeclared;": "",
}


def test_a_build_without_cuda_says_where_code_of_cuda_belongs(cmake: Environment, tmp_path: Path) -> None:
    text = named("axpy")
    configure(cmake, tmp_path, {"axpy.cu": text})
    advice = "is part of CUDA, which is not used here: put what needs it between `#ifdef CUVEC_CUDA` and `#endif`"

    def build(added: str, ok: bool) -> str:
        (tmp_path / "kernels/axpy.cu").write_text(text + added)
        return run(cmake.bin / "cmake", "--build", tmp_path / "build", env={"PATH": cmake.path}, ok=ok)

    for line, name in NEEDS_CUDA.items():
        first = next(it for it in build(line, ok=False).splitlines() if "error: " in it)
        at = rf".*/kernels/axpy\.cu:{text.count(chr(10)) + 1}:\d+: error: "
        assert bool(re.fullmatch(at + re.escape(f"`{name}` {advice}"), first)) == bool(name), line
    build("#ifdef CUVEC_CUDA\n" + "\n".join(NEEDS_CUDA) + "\n#endif\n", ok=True)


def option(name: str, enum: str) -> str:
    """A file of a function with an option, whose choices are in its name."""
    choices = f"{name}_a", f"{name}_b"
    declared = f"{name}(x: inout int8(...), mode: {{{', '.join(map(repr, choices))}}})"
    body = f"static __host__ __device__ void each(int8_t &x, {enum} mode) {{ x = int8_t(mode); }}"
    text = Wrong("", declared, body, f"enum class {enum} {{ {', '.join(choices)} }};\n").text()
    return text.replace("struct wrong", f"struct {name}").replace("EXPORT(wrong)", f"EXPORT({name})")


@pytest.mark.parametrize(("enums", "is_one"), [(("FirstMode", "SecondMode"), False), (("Mode", "Mode"), True)])
def test_options_of_one_name_in_two_files(
    enums: tuple[str, str], is_one: bool, build_program: Path, tmp_path: Path
) -> None:
    """Whose enums have other names, as the linker sees; with one name, they would be one to it."""
    flags = ("-O2", "-fPIC", "-flto", "-Wall", "-Wextra", "-Werror")
    objects = []
    for name, enum in zip(("first", "second"), enums, strict=True):
        file = tmp_path / f"{name}.cu"
        file.write_text(option(name, enum))
        objects.append(file.with_suffix(".o"))
        run(*compile_command(build_program, file, "g++", *flags, "-xc++", "-c", "-o", objects[-1]))
    output = run("g++", *flags, "-shared", *objects, "-o", tmp_path / "both.so", ok=not is_one)
    assert ("one definition rule" in output.lower()) == is_one


def test_kernels_of_different_names_and_one_twice_in_a_file(cmake: Environment, tmp_path: Path) -> None:
    overloads = LAUNCHED + "__global__ void rows(In<double> x) {}\n"
    configure(cmake, tmp_path, {"first.cu": named("first", overloads), "second.cu": named("second", "// rows\n")})
