"""The first line of a compiler's output says what is wrong with a body: function, parameter, and both types."""

import re
from pathlib import Path

import pytest
from declarations import GCC, compile_command, run

SIGNATURE = "product<T: float32, float16>(x: T(m,n), *, scale: T = 1) -> y: T(m)"
FAULTS = {
    "cpu(In<T, 2> x, float scale, Out<T> y)": (
        "product: parameter 2 of `cpu` is `float`, but `scale: T = 1` in the signature must be `float16`"
    ),
    "cpu(In<T> x, T scale, Out<T> y)": (
        "product: parameter 1 of `cpu` is `In<float>`, but `x: T(m,n)` in the signature must be `In<float, 2>`"
    ),
    "passes(Call &, In<T> x, T scale, Out<T> y)": (
        "product: parameter 1 of `passes` is `In<float>`, but `x: T(m,n)` in the signature must be `In<float, 2>`"
    ),
    "cpu(In<T, 2> x, T scale, In<T> y)": (
        "product: parameter 3 of `cpu` is `In<float>`, but `y: T(m)` in the signature must be `Out<float>`"
    ),
    "cpu(In<T, 2> x, Out<T> y)": (
        "product: `cpu` has another number of parameters than its signature, which has 3: "
        "x: T(m,n); scale: T = 1; y: T(m)"
    ),
    "other(In<T, 2> x, T scale, Out<T> y)": (
        "product has neither `each` nor `row` nor both `gpu` and `cpu` for the dtypes of its signature; there is no `cpu`"
    ),
}


@pytest.mark.parametrize(
    ("header", "library"), [("curand_kernel.h", "curand"), ("cublas_v2.h", "cublas")]
)
def test_a_header_of_a_library_of_cuda(
    header: str, library: str, build_program: Path, tmp_path: Path
) -> None:
    """Which are not among those that nvcc brings."""
    file = tmp_path / "random.cu"
    file.write_text(f"#include <{header}>\n")
    said = run(build_program, "run", *GCC, "-DCUVEC_CUDA", file, ok=False)
    assert (
        f"error: `{header}` is not there: add `{library}` to `cuda-toolkit[nvcc,cccl]` in pyproject.toml"
        in said
    )


TEXT = f"""#include <cuvec.h>

using namespace cuvec;

struct product {{
  static constexpr auto signature = "{SIGNATURE}";
  static constexpr auto doc = "With a fault.";

  template <class T> static void gpu(Call &call, In<T, 2> x, T scale, Out<T> y) {{}}
  template <class T> static void CPU {{}}
}};
CUVEC_EXPORT(product);
"""


CLASS = """#include <cuvec.h>

using namespace cuvec;

template <class T> struct Plan {
  static constexpr auto signature = "Plan<T: float32, float16>(n: int64, *, dtype: T = float32)";
  static constexpr auto doc = "With a method that has a fault.";

  explicit Plan(int64 n) {}
  struct reset {
    static constexpr auto signature = "reset()";
    static constexpr auto doc = "Sound.";
    static void gpu(Plan &self) {}
    static void cpu(Plan &self) {}
  };
  struct apply {
    static constexpr auto signature = "apply(x: T(n)) -> y: T(n)";
    static constexpr auto doc = "Not so.";
    static void gpu(Plan &self, In<T> x, Out<T> y) {}
    static void CPU {}
  };
  using methods = Methods<reset, apply>;
};
CUVEC_CLASS(Plan);
"""
FAULTS_OF_METHODS = {
    "cpu(Plan &self, In<float> x, Out<T> y)": (
        "Plan.apply: parameter 1 of `cpu` is `In<float>`, but `x: T(n)` in the signature must be `In<float16>`"
    ),
    "cpu(Plan &self, In<T> x)": (
        "Plan.apply: `cpu` has another number of parameters than its signature, which has 2: x: T(n); y: T(n)"
    ),
    "other(Plan &self, In<T> x, Out<T> y)": (
        "Plan.apply has neither `each` nor `row` nor both `gpu` and `cpu` for the dtypes of its signature; there is no `cpu`"
    ),
}


def first_line(file: Path, build_program: Path, *compiler: str | Path) -> tuple[str, str]:
    """The first message, and the code at the place that it names."""
    output = run(*compile_command(build_program, file, *compiler), ok=False).splitlines()
    line, column, what = re.fullmatch(
        rf"{re.escape(str(file))}:(\d+):(\d+): error: (.*)", output[0]
    ).groups()
    assert len(output) > 3  # the compiler's own
    return what, file.read_text().splitlines()[int(line) - 1][int(column) - 1 :]


@pytest.mark.parametrize("cpu", FAULTS)
def test_a_wrong_body(
    cpu: str, compiler: tuple[str | Path, ...], build_program: Path, tmp_path: Path
) -> None:
    file = tmp_path / "product.cu"
    file.write_text(TEXT.replace("CPU", cpu))
    what, code = first_line(file, build_program, *compiler)
    assert what == FAULTS[cpu]
    assert code.startswith("CUVEC_EXPORT" if "neither" in what else cpu)


@pytest.mark.parametrize("cpu", FAULTS_OF_METHODS)
def test_a_wrong_body_of_a_method(
    cpu: str, compiler: tuple[str | Path, ...], build_program: Path, tmp_path: Path
) -> None:
    """It names the method, whose dtypes its class may have."""
    file = tmp_path / "Plan.cu"
    file.write_text(CLASS.replace("CPU", cpu))
    what, code = first_line(file, build_program, *compiler)
    assert what == FAULTS_OF_METHODS[cpu]
    assert code.startswith("CUVEC_CLASS" if "neither" in what else cpu)


STRUCT = """#include <cuvec.h>

namespace physics {
struct Point {
  float x;
};
CUVEC_STRUCT(Point, x);
} // namespace physics

struct first {
  static constexpr auto signature = "first(p: Point(n)) -> float32(n)";
  static constexpr auto doc = "A member.";
  static __host__ __device__ void each(physics::Point p, float &y) { y = p.x; }
};
CUVEC_EXPORT(first);
"""


def test_a_struct_in_a_namespace(
    compiler: tuple[str | Path, ...], build_program: Path, tmp_path: Path
) -> None:
    file = tmp_path / "first.cu"
    file.write_text(STRUCT)
    message = "first: CUVEC_STRUCT(Point, ...) is in a namespace; move it out of that, after a `using` of the struct"
    assert first_line(file, build_program, *compiler)[0] == message
    moved = "CUVEC_STRUCT(Point, x);\n} // namespace physics\n"
    assert moved in STRUCT
    file.write_text(STRUCT.replace(moved, "}\nusing physics::Point;\nCUVEC_STRUCT(Point, x);\n"))
    run(*compile_command(build_program, file, *compiler))


LONG = """R"(product<T: float32, float16>(
      x: T(m,n), *,
      scale: T = 1) -> y: T(m)
    )\""""
FORMS = {
    "raw": LONG,
    "with a delimiter": LONG.replace('R"(', 'R"of(').replace(')"', ')of"'),
    "adjacent": '"product<T: float32, float16>("\n      "x: T(m,n), *, "\n      "scale: T = 1) -> y: T(m)"',
    "with comments": '"product<T: float32, float16>(" // the "dtypes"\n"x: T(m,n), *, " /* ( */ "scale: T = 1) -> y: T(m)"',
    "both": '"product<T: float32, float16>(x: T(m,n), *, " R"(scale: T = 1)\n   -> y: T(m))"',
    "continued": '"product<T: float32, float16>(x: T(m,n), *, \\\n  scale: T = 1) -> y: T(m)"',
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cpu", FAULTS)
def test_a_signature_on_several_lines(
    cpu: str, form: str, build_program: Path, tmp_path: Path
) -> None:
    """It is shown in one."""
    file = tmp_path / "product.cu"
    file.write_text(TEXT.replace(f'"{SIGNATURE}"', FORMS[form]).replace("CPU", cpu))
    what, code = first_line(file, build_program, *GCC)
    assert what == FAULTS[cpu]
    assert code.startswith("CUVEC_EXPORT" if "neither" in what else cpu)


@pytest.mark.parametrize("cpu", list(FAULTS)[:4:3])
def test_a_signature_on_several_lines_with_each_compiler(
    cpu: str, compiler: tuple[str | Path, ...], build_program: Path, tmp_path: Path
) -> None:
    file = tmp_path / "product.cu"
    file.write_text(TEXT.replace(f'"{SIGNATURE}"', LONG).replace("CPU", cpu))
    assert first_line(file, build_program, *compiler)[0] == FAULTS[cpu]


SPREAD = CLASS
for declared in (
    "Plan<T: float32, float16>(n: int64, *, dtype: T = float32)",
    "apply(x: T(n)) -> y: T(n)",
):
    SPREAD = SPREAD.replace(
        f'"{declared}"', f'R"({declared})"'.replace("(n", "(\n  n").replace(" ->", "\n  ->")
    )


@pytest.mark.parametrize("cpu", FAULTS_OF_METHODS)
def test_signatures_of_a_class_on_several_lines(
    cpu: str, build_program: Path, tmp_path: Path
) -> None:
    file = tmp_path / "Plan.cu"
    file.write_text(SPREAD.replace("CPU", cpu))
    assert first_line(file, build_program, *GCC)[0] == FAULTS_OF_METHODS[cpu]


UNREAD = "`signature` is no string here: the build reads it in the file, and knows no macros"


def test_a_signature_that_a_macro_has(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "product.cu"
    file.write_text(TEXT.replace(f'"{SIGNATURE}"', "SIGNATURE"))
    place, line, mark = run(
        build_program, "read", tmp_path / "declarations", file, ok=False
    ).splitlines()
    assert place.endswith(f"product.cu:6:25: error: {UNREAD}")
    assert mark.index("^") == line.index("signature")


def test_a_signature_that_another_file_has(build_program: Path, tmp_path: Path) -> None:
    """The compiler sees that it is none of those which were read."""
    file = tmp_path / "product.cu"
    read = f'  static constexpr auto signature = "{SIGNATURE}";\n'
    assert read in TEXT
    text = f"struct unused {{\n{read}}};\n" + TEXT.replace(
        read, "  static constexpr auto signature = OTHER;\n"
    )
    file.write_text(text.replace("CPU", "cpu(In<T, 2> x, T scale, Out<T> y)"))
    (tmp_path / "other.h").write_text('#define OTHER "product(x: inout float32(n))"\n')
    command = compile_command(build_program, file, *GCC, "-include", tmp_path / "other.h")
    first, *_ = run(*command, ok=False).splitlines()
    assert first.endswith(
        "error: the signature of product is no string in its file, where the build reads it"
    )


def test_the_number_of_parameters_where_there_are_none(build_program: Path, tmp_path: Path) -> None:
    file = tmp_path / "product.cu"
    body = "static void gpu() {}\n  static void cpu(int) {}"
    head, tail = TEXT.split("  template", 1)[0], TEXT[TEXT.index("};") :]
    file.write_text((head + f"  {body}\n" + tail).replace(SIGNATURE, "product()"))
    what, _ = first_line(file, build_program, *GCC)
    assert what == "product: `cpu` has another number of parameters than its signature, which has 0"


def test_what_the_compiler_says_first_stays_first(
    compiler: tuple[str | Path, ...], build_program: Path, tmp_path: Path
) -> None:
    """For it may be why there is no body."""
    file = tmp_path / "product.cu"
    file.write_text(TEXT.replace("CPU", "cpu(Im<T, 2> x, T scale, Out<T> y)"))
    output = run(*compile_command(build_program, file, *compiler), ok=False)
    first = next(line for line in output.splitlines() if "error: " in line)
    assert "Im" in first
    assert "product:" not in first


def test_the_body_in_the_words_of_clang(build_program: Path, tmp_path: Path) -> None:
    """Which has a quotation mark where others have parameters."""
    file = tmp_path / "product.cu"
    file.write_text(TEXT.replace("CPU", next(iter(FAULTS))))
    (tmp_path / "clang").write_text(
        "function.h:180:17: error: implicit instantiation of undefined template 'cuvec::detail::WrongType<"
        "cuvec_declared::product, cuvec::detail::Parameter<2>, cuvec::detail::Has<float>, "
        "cuvec::detail::MustHave<cuvec::small_float<5, 10, true>>>'\n"
        "function.h:486:45: note: in instantiation of member function "
        "'cuvec::detail::Erased<cuvec_declared::product, 1>::cpu' requested here\n"
    )
    output = run(build_program, "run", "sh", "-c", f"cat {tmp_path}/clang; exit 1", file, ok=False)
    assert output.splitlines()[0].endswith(f"error: {next(iter(FAULTS.values()))}")


def test_lines_of_any_length(build_program: Path) -> None:
    command = "printf 'error: cuvec: %01000000d' 1; exit 1"
    assert (
        len(run(build_program, "run", "sh", "-c", command, "x.cu", ok=False))
        == len("error: cuvec: ") + 10**6
    )


def test_what_compiles_is_passed_on(build_program: Path) -> None:
    assert (
        run(build_program, "run", "sh", "-c", "echo warning >&2; echo said", "x.cu")
        == "warning\nsaid\n"
    )
    assert (
        run(build_program, "run", "sh", "-c", "echo error: no; exit 3", "x.cu", ok=False)
        == "error: no\n"
    )
