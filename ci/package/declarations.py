"""Files of functions and classes with one fault each, and what the compiler must say of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from shell import ROOT, run

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


def signature(message: str, text: str) -> Wrong:
    """A signature that cannot be read; what runs does not matter then."""
    return Wrong(message, text)


def whole(message: str, text: str, gpu: str, cpu: str, before: str = "") -> Wrong:
    """The long form, with these parameters."""
    return Wrong(message, text, f"static void gpu({gpu}) {{}}\n  static void cpu({cpu}) {{}}", before)


def structure(message: str, before: str, text: str = "wrong(x: inout right(...))") -> Wrong:
    """A function of a struct, which is declared before it."""
    return Wrong(message, text, "static __host__ __device__ void each(right &x) { x.a += 1; }", before)


MANY = ", ".join(f"a{i}: int8" for i in range(33))
LONG = "a" * 64
PAIR = "struct right { float a; double b[2]; }; "  # on one line, so that the signature is on line 7
DECLARED = f"{PAIR}CUVEC_STRUCT(right, a, b);"
OTHER_TYPE = "cuvec::detail::WrongType<cuvec_declared::wrong, cuvec::detail::Parameter<"

SIGNATURES = {
    "no parentheses": signature("it ends where `(` is expected", "wrong"),
    "not closed": signature("it ends where `,` or `)` is expected", "wrong(x: int8(n)"),
    "no colon": signature("`i` where `:` is expected", "wrong(x int8(n))"),
    "a comma at the end": signature("`)` where the name of an argument is expected", "wrong(x: int8(n),)"),
    "something behind it": signature("unexpected `a`", "wrong(x: inout int8(n)) and more"),
    "no result": signature("it ends where a result is expected", "wrong(x: int8(n)) ->"),
    "an operator without a right side": signature("`)` where a size is expected", "wrong(x: int8(n), y: out int8(n-))"),
    "the default of an array": signature("`x` is an array, which every call must have", "wrong(x: inout int8(n) = 0)"),
    "None for a number": signature("`a` is no array, and cannot be None", "wrong(x: inout int8(n), a: int8 = None)"),
    "None for an array that is not optional": signature(
        "`x` is an array, which every call must have", "wrong(y: inout int8(n), x: int8(n) = None)"
    ),
    "a number for an optional array": signature(
        "`x` is an optional array, whose default is `None`", "wrong(y: inout int8(n), x: int8(n)? = 0)"
    ),
    "a dimension of optional arrays that are written": signature(
        "`n` is a dimension of optional arrays alone", "wrong(x: inout int8(n)?)"
    ),
    "a default that is divided by zero": signature(
        "this cannot be calculated", "wrong(x: inout int8(n), a: float64 = 1/0)"
    ),
    "a root of a negative number": signature(
        "this cannot be calculated", "wrong(x: inout int8(n), a: float64 = 2 * sqrt(-2))"
    ),
    "a power with a fraction": signature("this cannot be calculated", "wrong(x: inout int8(n), a: float64 = 2**0.5)"),
    "a default that is calculated of infinity": signature(
        "this cannot be calculated", "wrong(x: inout int8(n), a: float64 = inf - inf)"
    ),
    "a default that is calculated and infinite": signature(
        "this cannot be calculated", "wrong(x: inout int8(n), a: float64 = 1e308 * 10)"
    ),
    "a default that is calculated and no int64": signature(
        "this cannot be calculated", "wrong(x: inout int8(n), a: int64 = 9223372036854775807 + 1)"
    ),
    "a dimension of optional arrays alone": signature(
        "`n` is a dimension of optional arrays alone", "wrong(x: int8(n)?) -> y: int8(n)"
    ),
    "a variable of optional arrays alone": signature(
        "`T` is the dtype of no array that every call has", "wrong<T: int8, int16>(x: T(n)?, y: int8(n)) -> T(n)"
    ),
    "a result of the shape of an optional array": signature(
        "the result has any shape, and no argument has one to take it from",
        "wrong(x: int8(...)?, y: int8(n)) -> int8(...)",
    ),
    "dtypes without a variable": signature(
        "a dtype without a variable before it", "wrong<float32>(x: inout float32(n))"
    ),
    "a long name": signature("it has more than 63 letters", f"wrong({LONG}: inout int8(n))"),
    "many arguments": signature("more than 32 arguments and results", f"wrong({MANY})"),
    "many dimensions": signature("more than 8 dimensions", "wrong(x: inout int8(a,b,c,d,e,f,g,h,i))"),
    "a large integer": signature(
        "`9223372036854775808` is beyond the integers of declarations",
        "wrong(x: inout int8(n), a: int64 = 9223372036854775808)",
    ),
    "a large size": signature("the number is too large", "wrong(x: inout int8(9223372036854775808))"),
    "a real number of infinite size": signature(
        "`1e309` is infinite in float64", "wrong(x: inout int8(n), a: float64 = 1e309)"
    ),
    "a number with many digits": signature(
        "a number with more than 40 digits", f"wrong(x: inout int8(n), a: float64 = 1.{'1' * 40})"
    ),
    "an argument twice": signature("`x` is there twice", "wrong(x: int8(n), x: inout int8(n))"),
    "a dtype twice": signature("`int8` is there twice", "wrong<T: int8, int8>(x: inout T(n))"),
    "an argument `out`": signature(
        "`out` cannot be an argument: functions have it by themselves", "wrong(out: inout int8(n))"
    ),
    "an argument `stream`": signature(
        "`stream` cannot be an argument: functions have it by themselves", "wrong(x: inout int8(n), stream: int8)"
    ),
    "no such dtype": signature("`float23` is not a dtype", "wrong(x: inout float23(n))"),
    "variables without dtypes": signature("`U` has no dtypes", "wrong<T, U>(x: inout T(n))"),
    "no such dtype in a variable": signature("`half` is not a dtype", "wrong<T: half>(x: inout T(n))"),
    "an unknown dimension": signature("`m` is not a dimension of any argument", "wrong(x: int8(n)) -> y: int8(m)"),
    "a dimension in an expression alone": signature(
        "`n` is not a dimension of any argument", "wrong(x: inout int8(n/2))"
    ),
    "a size that is no integer": signature("`n` is a size and no integer", "wrong(n: float32) -> int8(n)"),
    "a variable of results alone": signature(
        "`T` is the dtype of no array that every call has", "wrong<T: int8, int16>(x: int8(n)) -> T(n)"
    ),
    "a variable of numbers alone": signature(
        "`T` is the dtype of no array that every call has", "wrong<T: int8, int16>(a: T, x: inout int8(n))"
    ),
    "a result of any shape alone": signature(
        "the result has any shape, and no argument has one to take it from", "wrong(x: int8(n)) -> int8(...)"
    ),
    "choices that are not closed": signature(
        "`)` where `,` or `}` is expected", "wrong(x: inout int8(n), a: {'b', 'c')"
    ),
    "no choices": signature("here a text in quotes is expected", "wrong(x: inout int8(n), a: {})"),
    "a choice that is no name": signature(
        "`1` where a text of letters, digits and `_` is expected", "wrong(x: inout int8(n), a: {'1d'})"
    ),
    "a choice twice": signature("`b` is there twice", "wrong(x: inout int8(n), a: {'b', 'b'})"),
    "a default that is no choice": signature(
        "`d` is none of the choices", "wrong(x: inout int8(n), a: {'b', 'c'} = 'd')"
    ),
    "a dtype that the variable has not": signature(
        "`int32` is not a dtype of `D`", "wrong<D: int8, int16>(x: int8(n), d: D = int32) -> D(n)"
    ),
    "a dtype as the default of a number": signature(
        "here a number is expected", "wrong(x: inout int8(n), a: int8 = int8)"
    ),
    "a dtype that an array decides, too": signature(
        "`d` chooses `D`, which an array or another argument decides",
        "wrong<D: int8, int16>(x: D(n), d: D = int8) -> D(n)",
    ),
    "a dtype that two arguments choose": signature(
        "`e` chooses `D`, which an array or another argument decides",
        "wrong<D: int8, int16>(n: int8, d: D = int8, e: D = int8) -> D(n)",
    ),
    "a dtype that is a size": signature("`d` is a size and no integer", "wrong<D: int8>(d: D = int8) -> D(d)"),
    "a number as the default of an option": signature(
        "here a text in quotes is expected", "wrong(x: inout int8(n), a: {'b', 'c'} = 0)"
    ),
    "an option that is a size": signature("`a` is a size and no integer", "wrong(a: {'b', 'c'}) -> int8(a)"),
    "a result with strides": signature(
        "a result is `strided` or `rows`, which arguments may be", "wrong(x: int8(n)) -> y: int8(n) rows"
    ),
    "an argument of an unknown size": signature("`at most` is of results", "wrong(x: int64(at most n))"),
    "an argument that is written, of an unknown size": signature(
        "`at most` is of results", "wrong(x: int8(n), y: out int64(at most n))"
    ),
    "an argument of the real dtype": signature(
        "`real` is the dtype of results alone", "wrong<T: float32>(x: T(n), y: real(T)(n)) -> T(n)"
    ),
    "a number of the real dtype": signature(
        "`real` is the dtype of results alone", "wrong<T: float32>(x: T(n), a: real(T)) -> T(n)"
    ),
    "the real dtype of no variable": signature("`real` is of a dtype variable", "wrong(x: int8(n)) -> real(int8)(n)"),
    "a result of at most an unknown size": signature(
        "`k` is not a dimension of any argument", "wrong(x: int8(n)) -> int64(at most k)"
    ),
    "a saved result alone": signature(
        "a saved result is behind those that are not, and has a name and a shape",
        "wrong(x: int8(n)) -> y: saved int8(n)",
    ),
    "a saved result before another": signature(
        "a saved result is behind those that are not, and has a name and a shape",
        "wrong(x: int8(n)) -> y: int8(n), s: saved int8(n), z: int8(n)",
    ),
    "a saved result without a name": signature(
        "a saved result is behind those that are not, and has a name and a shape",
        "wrong(x: int8(n)) -> y: int8(n), saved int8(n)",
    ),
    "a saved number": signature(
        "a saved result is behind those that are not, and has a name and a shape",
        "wrong(x: int8(n)) -> y: int8(n), s: saved int8",
    ),
    "an empty tuple": signature("a tuple has 1 to 64 items", "wrong(x: inout int8(n), a: int8[0])"),
    "a tuple with too many items": signature("a tuple has 1 to 64 items", "wrong(x: inout int8(n), a: int8[65])"),
    "the default of a struct": structure(
        "`a` is a struct, which has no default", DECLARED, "wrong(x: inout int8(n), a: right = 0)"
    ),
    "a tuple of structs": structure(
        "`a` is a tuple of `right`, which is a struct", DECLARED, "wrong(x: inout int8(n), a: right[2])"
    ),
    "a struct as a number": structure("a result that is a struct has a shape", DECLARED, "wrong(x: int8(n)) -> right"),
    "a struct that is a size": structure("`n` is a size and no integer", DECLARED, "wrong(n: right) -> int8(n)"),
    "a struct in a list of dtypes": signature("`right` is not a dtype", "wrong<T: right>(x: inout T(n))"),
    "too few items": signature("1 items, and the tuple has 2", "wrong(x: inout int8(n), a: int8[2] = (1))"),
    "too many items": signature("3 items, and the tuple has 2", "wrong(x: inout int8(n), a: int8[2] = (1, 2, 3))"),
    "a number as the default of a tuple": signature(
        "here the 2 items of a tuple are expected", "wrong(x: inout int8(n), a: int8[2] = 1)"
    ),
    "a tuple that is written": signature(
        "`a` is a tuple, which cannot be written", "wrong(x: inout int8(n), a: out int8[2])"
    ),
    "a tuple that is a size": signature("`n` is a size and no integer", "wrong(n: int8[2]) -> int8(n)"),
    "a result that is a tuple": signature("unexpected `[`", "wrong(x: int8(n)) -> int8[2]"),
    "no default after one": signature(
        "`b` has no default and follows `a`, which has one", "wrong(x: inout int8(n), a: int8 = 1, b: int8)"
    ),
    "a number that is written": signature("`a` is a number, which cannot be written", "wrong(x: int8(n), a: out int8)"),
}
WRONG = SIGNATURES | {
    # ---- bodies that are not of the signature
    "each with too few parameters": Wrong(
        "another number of parameters",
        body="template <class T> static __host__ __device__ void each(T a, T &y) { y = a; }",
    ),
    "each with parameters exchanged": Wrong(
        OTHER_TYPE, body="template <class T> static __host__ __device__ void each(T a, T &x, T y) { x = a * y; }"
    ),
    "each writes what is read": Wrong(
        OTHER_TYPE, body="template <class T> static __host__ __device__ void each(T a, T &x, T &y) { x = y = a; }"
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
        OTHER_TYPE, body="template <class T> static __host__ __device__ void each(float a, T x, T &y) { y = a * x; }"
    ),
    "each on arrays of two shapes": Wrong("differ in shape", "wrong<T: float32>(a: T, x: T(n), y: inout T(m))"),
    "each and strides": Wrong(
        "an array that is `strided` or `rows`", "wrong<T: float32>(a: T, x: T(n) strided, y: inout T(n))"
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
        "another number of parameters", "wrong(x: int8(n)) -> int8(n)", "Call &, In<int8_t>", "In<int8_t>, Out<int8_t>"
    ),
    "cpu with too many parameters": whole(
        "another number of parameters",
        "wrong(x: inout int8(n))",
        "Call &, Out<int8_t>",
        "Out<int8_t>, int",
    ),
    "gpu with another dtype": whole(OTHER_TYPE, "wrong(x: inout int8(n))", "Call &, Out<short>", "Out<int8_t>"),
    "gpu with another rank": whole(OTHER_TYPE, "wrong(x: inout int8(n, m))", "Call &, Out<int8_t>", "Out<int8_t, 2>"),
    "gpu reads what is written": whole(OTHER_TYPE, "wrong(x: inout int8(n))", "Call &, In<int8_t>", "Out<int8_t>"),
    "cpu writes what is read": whole(
        OTHER_TYPE, "wrong(x: int8(n)) -> int8", "In<int8_t>, Out<int8_t, 0>", "Out<int8_t>, Out<int8_t, 0>"
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
    "a member that is not listed": structure("does not list all members", f"{PAIR}CUVEC_STRUCT(right, a);"),
    "members in another order": structure("does not list all members", f"{PAIR}CUVEC_STRUCT(right, b, a);"),
    "a pointer in a struct": structure("is a number of a dtype", "struct right { int *a; }; CUVEC_STRUCT(right, a);"),
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
    "a constructor of other parameters": class_of("has no constructor with the parameters", takes="wrong(Call &) {}"),
    "a constructor with a result": class_of("the constructor of class C has results", "wrong(n: int64) -> int64(n)"),
    "a constructor with a variable, in no template": class_of(
        "class C is not a template of as many types as its signature has", "wrong<T: int8, int16>(x: T(n))"
    ),
    "a template of fewer types": class_of(
        "class C is not a template of as many types as its signature has",
        "wrong<T, U: int8, int16>(x: T(n), y: U(n))",
        "wrong(In<T>, In<T>) {}",
        template="template <class T> ",
    ),
    "a template without variables": class_of(
        "class C is not a template of as many types as its signature has", template="template <class T> "
    ),
    "a constructor of another dtype": class_of(
        "has no constructor with the parameters", GENERIC, "wrong(In<float>) {}", template="template <class T> "
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
        "a method has `each`", bodies="static __host__ __device__ void each(float x, float &y) { y = x; }"
    ),
    "a method with a derivative": class_of(
        "a method has a derivative", bodies=f'static constexpr auto derivative = "dx = f(dy)";\n  {BODIES}'
    ),
    "a method without a body for the CPU": class_of(
        "neither `each` nor `row` nor both `gpu` and `cpu`",
        bodies="static void gpu(wrong &, Call &, In<float>, Out<float>) {}",
    ),
    "a method of another class": class_of(
        "another number of parameters", bodies=BODIES.replace("cpu(const wrong &", "cpu(const CudaError &")
    ),
    "a method of another dtype": class_of(
        OTHER_TYPE.replace("cuvec_declared::wrong", "cuvec::detail::Method<wrong, wrong::apply>"),
        bodies=BODIES.replace("cpu(const wrong &, In<float>", "cpu(const wrong &, In<double>"),
    ),
    "methods that are not listed": class_of("class C lists no methods", methods=""),
    "a class of another name": class_of("the signature of wrong has another name", "right(n: int64)"),
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


def compile_command(program: Path, file: Path, *compiler: str | Path) -> tuple[str | Path, ...]:
    """Reads the declarations of a file as a build does, and returns the command that compiles it."""
    run(program, "read", file.parent / "declarations", file)
    header = file.parent / "declarations" / f"{file.stem}.h"
    return program, "run", *compiler, "-std=c++17", "-I", INCLUDE, f'-DCUVEC_SIGNATURES="{header}"', file
