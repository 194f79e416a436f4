"""Files of functions and classes with one fault each, and what the compiler must say of it."""

import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
INCLUDE = ROOT / "runtime/include"
GCC = ("g++", "-xc++", "-fsyntax-only")

EACH = "template <class T> static __host__ __device__ void each(T a, T x, T &y) { y += a * x; }"
SIGNATURE = "wrong<T: float32, float64>(a: T, x: T(...), y: inout T(...))"
ROW = "template <class T> __global__ void wrong_rows(In<T> x, Out<T> y) { y[0] = x[0]; }"


class Wrong(NamedTuple):
    """A file `wrong.cu`, and a part of the message that it must get."""

    message: str
    signature: str = SIGNATURE
    body: str = EACH
    before: str = ""
    export: str = "CUVEC_EXPORT(wrong);"
    template: str = ""

    def text(self) -> str:
        return (
            f"#include <cuvec.h>\n\nusing namespace cuvec;\n\n{self.before}\n{self.template}struct wrong {{\n"
            f'  static constexpr auto signature = "{self.signature}";\n'
            f'  static constexpr auto doc = "A function with a fault.";\n\n  {self.body}\n}};\n{self.export}\n'
        )


def whole(message: str, text: str, gpu: str, cpu: str, before: str = "") -> Wrong:
    """The long form, with these parameters."""
    return Wrong(
        message, text, f"static void gpu({gpu}) {{}}\n  static void cpu({cpu}) {{}}", before
    )


def structure(message: str, before: str, text: str = "wrong(x: inout right(...))") -> Wrong:
    """A function of a struct, which is declared before it."""
    return Wrong(
        message, text, "static __host__ __device__ void each(right &x) { x.a += 1; }", before
    )


PAIR = "struct right { float a; double b[2]; }; "  # on one line, so that the signature is on line 7
DECLARED = f"{PAIR}CUVEC_STRUCT(right, a, b);"
OTHER_TYPE = "cuvec::detail::WrongType<cuvec_declared::wrong, cuvec::detail::Parameter<"

# A few faults of the reader; runtime/declare/tests/faults.rs and tests/add have the others.
SIGNATURES = {
    "something behind it": Wrong("unexpected `a`", "wrong(x: inout int8(n)) and more"),
    "no such dtype": Wrong("`float23` is not a dtype", "wrong(x: inout float23(n))"),
    "a struct that is a size": structure(
        "`n` is a size and no integer", DECLARED, "wrong(n: right) -> int8(n)"
    ),
}
WRONG = SIGNATURES | {
    # ---- bodies that are not of the signature
    "each with too few parameters": Wrong(
        "another number of parameters",
        body="template <class T> static __host__ __device__ void each(T a, T &y) { y = a; }",
    ),
    "each with parameters exchanged": Wrong(
        OTHER_TYPE,
        body="template <class T> static __host__ __device__ void each(T a, T &x, T y) { x = a * y; }",
    ),
    "each writes what is read": Wrong(
        OTHER_TYPE,
        body="template <class T> static __host__ __device__ void each(T a, T &x, T &y) { x = y = a; }",
    ),
    "each with an element of an optional array": Wrong(
        OTHER_TYPE, "wrong<T: float32>(a: T, x: T(...)?, y: inout T(...))"
    ),
    "each with a reference to an optional array that is written": Wrong(
        OTHER_TYPE, "wrong<T: float32>(a: T, x: T(...), y: inout T(...)?)"
    ),
    "an option that is no enum": Wrong(
        "has no enum where its signature has choices",
        "wrong<T: float32>(a: {'b', 'c'}, x: T(...), y: inout T(...))",
        "template <class T> static __host__ __device__ void each(int a, T x, T &y) { y += a * x; }",
    ),
    "an enum in another order": whole(
        "the enumerators of an enum of function F are not the choices",
        "wrong(a: {'b', 'c'}, x: inout int8(n))",
        "Call &, Kind, Out<int8_t>",
        "Kind, Out<int8_t>",
        "enum class Kind { c, b };",
    ),
    "an enum with too few enumerators": whole(
        "the enumerators of an enum of function F are not the choices",
        "wrong(a: {'b', 'c'}, x: inout int8(n))",
        "Call &, Kind, Out<int8_t>",
        "Kind, Out<int8_t>",
        "enum class Kind { b };",
    ),
    "a tuple of another size": whole(
        OTHER_TYPE,
        "wrong(a: int8[2], x: inout int8(n))",
        "Call &, Tuple<int8_t, 3>, Out<int8_t>",
        "Tuple<int8_t, 2>, Out<int8_t>",
    ),
    "each of a fixed type": Wrong(
        OTHER_TYPE,
        body="template <class T> static __host__ __device__ void each(float a, T x, T &y) { y = a * x; }",
    ),
    "each on arrays of two shapes": Wrong(
        "differ in shape", "wrong<T: float32>(a: T, x: T(n), y: inout T(m))"
    ),
    "each and strides": Wrong(
        "an array that is `strided` or `rows`",
        "wrong<T: float32>(a: T, x: T(n) strided, y: inout T(n))",
    ),
    "each with a number for a result": Wrong(
        "differ in shape; write `gpu` and `cpu`",
        "wrong<T: float32>(x: T(...)) -> T",
        "template <class T> static __host__ __device__ void each(T x, T &y) { y = x; }",
    ),
    "row of a fixed type": Wrong(
        "cuvec::RowIn<float>",
        "wrong<T: float32, float64>(x: T(...,n)) -> T(...)",
        "template <class T> static __host__ __device__ void row(Row &, RowIn<float>, T &) {}",
    ),
    "row of a whole array": Wrong(
        "cuvec::RowIn<signed char>",
        "wrong(x: int8(m,n)) -> int8(m)",
        "static __host__ __device__ void row(Row &, In<int8_t>, int8_t &) {}",
    ),
    "row of no rows": Wrong(
        "`row`, and no array with rows",
        "wrong(x: inout int8())",
        "static __host__ __device__ void row(Row &, Out<int8_t, 0>) {}",
    ),
    "row with too few parameters": Wrong(
        "another number of parameters",
        "wrong(x: int8(m,n)) -> int8(m)",
        "static __host__ __device__ void row(Row &, RowIn<int8_t>) {}",
    ),
    "passes with too few parameters": Wrong(
        "another number of parameters",
        "wrong(x: int8(n)) -> int8(n)",
        "static void passes(Call &, In<int8_t>) {}",
    ),
    "a pass without indices": Wrong(
        "the function of a pass has an int64 for each dimension",
        "wrong(x: int8(n)) -> int8(n)",
        "static __host__ __device__ int8_t same(In<int8_t> x) { return x[0]; }\n"
        "  static void passes(Call &call, In<int8_t> x, Out<int8_t> y) { call.each<same>(y, x); }",
    ),
    "a pass with too few arguments": Wrong(
        "a pass has other arguments than its function has parameters",
        "wrong(x: int8(n)) -> int8(n)",
        "static __host__ __device__ int8_t same(int64 i, In<int8_t> x) { return x[i]; }\n"
        "  static void passes(Call &call, In<int8_t>, Out<int8_t> y) { call.each<same>(y); }",
    ),
    "nothing that runs": Wrong("neither `each` nor `row` nor both `gpu` and `cpu`", body=""),
    "nothing for the CPU": Wrong(
        "neither `each` nor `row` nor both `gpu` and `cpu`",
        body="template <class T> static void gpu(Call &, T, In<T>, Out<T>) {}",
    ),
    "no template for a variable": Wrong(
        "neither `each` nor `row` nor both `gpu` and `cpu`",
        body="static __host__ __device__ void each(float a, float x, float &y) { y += a * x; }",
    ),
    "gpu with too few parameters": whole(
        "another number of parameters",
        "wrong(x: int8(n)) -> int8(n)",
        "Call &, In<int8_t>",
        "In<int8_t>, Out<int8_t>",
    ),
    "cpu with too many parameters": whole(
        "another number of parameters",
        "wrong(x: inout int8(n))",
        "Call &, Out<int8_t>",
        "Out<int8_t>, int",
    ),
    "gpu with another dtype": whole(
        OTHER_TYPE, "wrong(x: inout int8(n))", "Call &, Out<short>", "Out<int8_t>"
    ),
    "gpu with another rank": whole(
        OTHER_TYPE, "wrong(x: inout int8(n, m))", "Call &, Out<int8_t>", "Out<int8_t, 2>"
    ),
    "gpu reads what is written": whole(
        OTHER_TYPE, "wrong(x: inout int8(n))", "Call &, In<int8_t>", "Out<int8_t>"
    ),
    "cpu writes what is read": whole(
        OTHER_TYPE,
        "wrong(x: int8(n)) -> int8",
        "In<int8_t>, Out<int8_t, 0>",
        "Out<int8_t>, Out<int8_t, 0>",
    ),
    "a launch with too few arguments": Wrong(
        "launched with other arguments than the kernel has parameters",
        "wrong(x: float32(n)) -> float32(n)",
        "static void gpu(Call &call, In<float> x, Out<float> y) { call.launch<wrong_rows<float>>(Grid(1, 1), x); }\n"
        "  static void cpu(In<float>, Out<float>) {}",
        ROW,
    ),
    "a launch that writes what is read": Wrong(
        "an In cannot become an Out",
        "wrong(x: float32(n)) -> float32(n)",
        "static void gpu(Call &call, In<float> x, Out<float>) { call.launch<wrong_rows<float>>(Grid(1, 1), x, x); }\n"
        "  static void cpu(In<float>, Out<float>) {}",
        ROW,
    ),
    # ---- structs
    "a struct that is not declared": structure("`right` is not a dtype", PAIR),
    "a member that is not listed": structure(
        "does not list all members", f"{PAIR}CUVEC_STRUCT(right, a);"
    ),
    "members in another order": structure(
        "does not list all members", f"{PAIR}CUVEC_STRUCT(right, b, a);"
    ),
    "a pointer in a struct": structure(
        "is a number of a dtype", "struct right { int *a; }; CUVEC_STRUCT(right, a);"
    ),
    "a struct that has to be copied by itself": structure(
        "is none that C could have",
        "struct right { int a; right() = default; right(const right &other) { a = other.a; } }; "
        "CUVEC_STRUCT(right, a);",
    ),
    # ---- names
    "the signature of another name": Wrong(
        "the signature of wrong has another name", SIGNATURE.replace("wrong", "right")
    ),
    "in a file of another name": Wrong(
        "right must be in the file kernels/right.cu",
        before="struct right {\n"
        f'  static constexpr auto signature = "{SIGNATURE.replace("wrong", "right")}";\n'
        f'  static constexpr auto doc = "";\n  {EACH}\n}};',
        export="CUVEC_EXPORT(right);",
    ),
}

# ---- classes of one method
CONSTRUCTOR = "wrong(n: int64)"
TAKES = "wrong(Call &, int64) {}"
BODIES = (
    "static void gpu(const wrong &, Call &, In<float>, Out<float>) {}\n"
    "  static void cpu(const wrong &, In<float>, Out<float>) {}"
)
METHOD = "apply(x: float32(n)) -> float32(n)"
LIST = "using methods = Methods<apply>;"
GENERIC = "wrong<T: float32, float64>(x: T(n))"


def class_of(
    message: str = "",
    constructor: str = CONSTRUCTOR,
    takes: str = TAKES,
    method: str = METHOD,
    bodies: str = BODIES,
    methods: str = LIST,
    template: str = "",
) -> Wrong:
    """A class of one method; sound without changes."""
    declared = f'static constexpr auto signature = "{method}";\n  static constexpr auto doc = "";'
    body = f"{takes}\n  struct apply {{\n  {declared}\n  {bodies}\n  }};\n  {methods}"
    return Wrong(message, constructor, body, export="CUVEC_CLASS(wrong);", template=template)


CLASSES = {
    "a constructor of other parameters": class_of(
        "has no constructor with the parameters", takes="wrong(Call &) {}"
    ),
    "a constructor with a result": class_of(
        "the constructor of class C has results", "wrong(n: int64) -> int64(n)"
    ),
    "a constructor with a variable, in no template": class_of(
        "class C is not a template of as many types as its signature has",
        "wrong<T: int8, int16>(x: T(n))",
    ),
    "a template of fewer types": class_of(
        "class C is not a template of as many types as its signature has",
        "wrong<T, U: int8, int16>(x: T(n), y: U(n))",
        "wrong(In<T>, In<T>) {}",
        template="template <class T> ",
    ),
    "a template without variables": class_of(
        "class C is not a template of as many types as its signature has",
        template="template <class T> ",
    ),
    "a constructor of another dtype": class_of(
        "has no constructor with the parameters",
        GENERIC,
        "wrong(In<float>) {}",
        template="template <class T> ",
    ),
    "a method with the name of the constructor's variable": class_of(
        "`T` is there twice",
        GENERIC,
        "wrong(In<T>) {}",
        "apply<T: float32>(x: T(n))",
        template="template <class T> ",
    ),
    "a method that chooses what the constructor decides": class_of(
        "`dtype` chooses `T`, which an array or another argument decides",
        GENERIC,
        "wrong(In<T>) {}",
        "apply(x: T(n), dtype: T = float32)",
        template="template <class T> ",
    ),
    "a method with the object of another class": class_of(
        "another number of parameters",
        GENERIC,
        "wrong(In<T>) {}",
        "apply(x: T(n))",
        "static void gpu(wrong<T> &, In<T>) {}\n  static void cpu(wrong<float> &, In<T>) {}",
        template="template <class T> ",
    ),
    "a method of a template with another dtype": class_of(
        "Parameter<1>",
        GENERIC,
        "wrong(In<T>) {}",
        "apply(x: T(n))",
        "static void gpu(wrong &, In<T>) {}\n  static void cpu(wrong &, In<float>) {}",
        template="template <class T> ",
    ),
    "a constructor that is none": class_of("it ends where `(` is expected", "wrong"),
    "a dimension that neither the method nor the constructor gives": class_of(
        "`k` is not a dimension of any argument", method="apply(x: float32(n)) -> float32(k)"
    ),
    "a method with each": class_of(
        "a method has `each`",
        bodies="static __host__ __device__ void each(float x, float &y) { y = x; }",
    ),
    "a method with a derivative": class_of(
        "a method has a derivative",
        bodies=f'static constexpr auto derivative = "dx = f(dy)";\n  {BODIES}',
    ),
    "a method without a body for the CPU": class_of(
        "neither `each` nor `row` nor both `gpu` and `cpu`",
        bodies="static void gpu(wrong &, Call &, In<float>, Out<float>) {}",
    ),
    "a method of another class": class_of(
        "another number of parameters",
        bodies=BODIES.replace("cpu(const wrong &", "cpu(const CudaError &"),
    ),
    "a method of another dtype": class_of(
        OTHER_TYPE.replace("cuvec_declared::wrong", "cuvec::detail::Method<wrong, wrong::apply>"),
        bodies=BODIES.replace("cpu(const wrong &, In<float>", "cpu(const wrong &, In<double>"),
    ),
    "methods that are not listed": class_of("class C lists no methods", methods=""),
    "a class of another name": class_of(
        "the signature of wrong has another name", "right(n: int64)"
    ),
}

# ---- who says what: the build program before a compiler, or a compiler
READ = SIGNATURES | {
    fault: wrong
    for fault, wrong in (WRONG | CLASSES).items()
    if fault
    in (
        "a struct that is not declared",
        "a method with the name of the constructor's variable",
        "a method that chooses what the constructor decides",
        "a constructor that is none",
        "a dimension that neither the method nor the constructor gives",
    )
}
COMPILED = {fault: wrong for fault, wrong in (WRONG | CLASSES).items() if fault not in READ}


def run(*command: str | Path, cwd: Path | None = None, ok: bool = True) -> str:
    """Returns stdout and stderr of a command. `ok=False` expects a failure."""
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert (done.returncode == 0) == ok, done.stdout
    return done.stdout


def compile_command(program: Path, file: Path, *compiler: str | Path) -> tuple[str | Path, ...]:
    """Reads the declarations of a file as a build does, and returns the command that compiles it."""
    run(program, "read", file.parent / "declarations", file)
    header = file.parent / "declarations" / f"{file.stem}.h"
    return (
        program,
        "run",
        *compiler,
        "-std=c++17",
        "-I",
        INCLUDE,
        f'-DCUVEC_SIGNATURES="{header}"',
        file,
    )
