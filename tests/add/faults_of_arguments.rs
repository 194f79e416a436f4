//! Faults of optional arrays, options, tuples and dtypes.

use snapbox::str;

use super::{UNCHANGED, add, fault, package, unchanged};

/// Behind `x: int8(n), `, and where the mark is there.
#[test]
fn faults_of_optional_arrays_options_and_tuples() {
    let long = "a".repeat(64);
    let many: Vec<_> = (0..33).map(|it| format!("'a{it}'")).collect();
    for (argument, at, problem) in [
        (
            "y: int8(n)? = 0",
            14,
            "`y` is an optional array, whose default is `None`",
        ),
        (
            "y: int8(n) = None",
            13,
            "`y` is an array, which every call must have",
        ),
        ("y: int8?", 7, "`y` is no array, and cannot be None"),
        (
            "y: float64? = None",
            10,
            "`y` is no array, and cannot be None",
        ),
        (
            "y: int8(k)?",
            8,
            "`k` is a dimension of optional arrays alone",
        ),
        ("a: int8 = None", 10, "`a` is no array, and cannot be None"),
        (
            "has_y: bool, y: int8(n)?",
            0,
            "`has_y` cannot be an argument: the code around it uses that name",
        ),
        ("a: {}", 4, "here a text in quotes is expected"),
        (
            "a: {'1d'}",
            5,
            "`1` where a text of letters, digits and `_` is expected",
        ),
        ("a: {'b\"}", 6, "`\"` where `'` is expected"),
        ("a: {'b', 'c'", 12, "it ends where `,` or `}` is expected"),
        ("a: {'b', 'b'}", 10, "`b` is there twice"),
        ("a: {'b', 'c'} = 'd'", 17, "`d` is none of the choices"),
        ("a: {'b', 'c'} = 0", 16, "here a text in quotes is expected"),
        (
            "a: {'b', 'c'} = None",
            16,
            "`a` is no array, and cannot be None",
        ),
        (
            "a: {'b', 'match'}",
            10,
            "`match` cannot be a choice: `match` is a Rust keyword",
        ),
        (
            "a: {'b', 'a'}",
            10,
            "`a` cannot be a choice: the option is called so",
        ),
        (
            "a: {'int_', 'int'}",
            13,
            "`int` is `int_` in C++, as another one",
        ),
        (
            &format!("a: {{'{long}'}}"),
            5,
            &format!("`{long}` cannot be a choice: it has more than 63 letters"),
        ),
        (
            &format!("a: {{{}}}", many.join(", ")),
            219,
            "more than 32 choices of options",
        ),
        (
            "i64: {'b'}",
            0,
            "`i64` cannot be an argument: it is a type in Rust",
        ),
        ("a: {'b'}, y: int8(a)", 18, "`a` is a size and no integer"),
        ("a: int8 = 1/3", 10, "`1 / 3` is no int8"),
        ("a: int8 = 64*2", 10, "`64 * 2` is no int8"),
        (
            "a: float16 = 65504*2",
            13,
            "`65504 * 2` is infinite in float16",
        ),
        ("a: float64 = 1/0", 14, "this cannot be calculated"),
        ("a: float64 = 1 + inf", 15, "this cannot be calculated"),
        ("a: float64 = 1 + sqrt(-1)", 17, "this cannot be calculated"),
        ("a: float64 = 2 * 4**0.5", 18, "this cannot be calculated"),
        ("a: float64 = 0**-1", 14, "this cannot be calculated"),
        ("a: float64 = 10.0**400", 17, "this cannot be calculated"),
        ("a: int64 = 2**64", 12, "this cannot be calculated"),
        ("a: int8[0]", 8, "a tuple has 1 to 64 items"),
        ("a: int8[65]", 8, "a tuple has 1 to 64 items"),
        (
            "a: int8[n]",
            8,
            "here the number of items of a tuple is expected",
        ),
        ("a: &int8", 8, "`)` where `[` is expected"),
        ("a: [int8, 2]", 8, "`,` where `;` is expected"),
        ("a: Option<&int8[n]", 18, "`)` where `>` is expected"),
        (
            "a: int8[33], b: int8[32]",
            13,
            "more than 64 items in all tuples",
        ),
        (
            "a: out int8[2]",
            0,
            "`a` is a tuple, which cannot be written",
        ),
        (
            "a: int8[2] = 1",
            13,
            "here the 2 items of a tuple are expected",
        ),
        ("a: int8[2] = (1)", 13, "1 items, and the tuple has 2"),
        ("a: int8[2] = (1, 2, 3)", 13, "3 items, and the tuple has 2"),
        ("a: int8[2] = (1, 128)", 17, "`128` is no int8"),
        ("a: int8[2], y: int8(a)", 20, "`a` is a size and no integer"),
        (
            "a: int8[2] = (1, 2), b: int8",
            21,
            "`b` has no default and follows `a`, which has one",
        ),
    ] {
        let closed = if argument.starts_with("a: {'b', 'c'") && !argument.contains('}') {
            ""
        } else {
            ") -> int8"
        };
        fault(
            &format!("f(x: int8(n), {argument}{closed}"),
            14 + at,
            problem,
        );
    }
    for (declaration, at, problem) in [
        (
            "f<T: int8>(x: T(n)?, y: int8(n)) -> T(n)",
            2,
            "`T` is the dtype of no array that every call has",
        ),
        (
            "f<T: int8>(x: T(n)?, y: int8(n)) -> real(T)(n)",
            2,
            "`T` is the dtype of no array that every call has",
        ),
        (
            "f(x: int8(...)?, y: int8(n)) -> int8(...)",
            32,
            "the result has any shape, and no argument has one to take it from",
        ),
        ("f(x: int8(n)) -> int8{2}", 21, "unexpected `{`"),
        (
            "f<D: int8, int16>(x: int8(n), dtype: D = int32) -> D(n)",
            41,
            "`int32` is not a dtype of `D`",
        ),
        (
            "f(x: int8(n), a: int8 = int8) -> int8",
            24,
            "here a number is expected",
        ),
        (
            "f<D: int8, int16>(x: D(n), dtype: D = int8) -> D(n)",
            27,
            "`dtype` chooses `D`, which an array or another argument decides",
        ),
        (
            "f<D: int8>(x: int8(n), a: D = int8, b: D = int8) -> D(n)",
            36,
            "`b` chooses `D`, which an array or another argument decides",
        ),
        (
            "f<D: int8>(x: int8(n), a: D = int8) -> D(a)",
            41,
            "`a` is a size and no integer",
        ),
    ] {
        fault(declaration, at, problem);
    }
}

#[test]
fn an_optional_array_has_strides_in_cpp_alone() {
    let declaration = "f(x: float32(n) strided?, y: inout float32(n))";
    let outcome = add(package("cu"), &[declaration]).success();
    let kernel = outcome.read("p/kernels/f.cu");
    assert!(kernel.contains("In<float, 1, Strided> x"), "{kernel}");
    let outcome = add(outcome, &[declaration, "--kernels", "rust", "--force"]);
    outcome.failure(
        2,
        str![[r#"
error: wrong signature: `x` is optional, and `strided`
  f(x: float32(n) strided?, y: inout float32(n))
    ^
hint: remove one of them: kernels in Rust take no such arrays

"#]],
    );
}

/// The declaration, and the hint.
#[track_caller]
fn hint(declaration: &str, hint: &str) {
    let outcome = add(unchanged(), &["--", declaration]);
    let end = format!("\nhint: {hint}\n");
    assert!(outcome.stderr.ends_with(&end), "{}", outcome.stderr);
    UNCHANGED.set(Some(outcome));
}

#[test]
fn hints_name_what_was_meant() {
    for (word, meant) in [
        (
            "in int8",
            "leave `in` out: an array is read, unless it is `inout` or `out`",
        ),
        (
            "const int8",
            "leave `const` out: an array is read, unless it is `inout` or `out`",
        ),
        (
            "float128",
            "there is none of 128 bits; float dtypes are `float16`, `float32`, `float64`",
        ),
        (
            "complex256",
            "there is none of 256 bits; complex dtypes are `complex64`, `complex128`",
        ),
        (
            "str",
            "an option is one of several texts: `mode: {'a', 'b'} = 'a'`",
        ),
        (
            "{'lower-case'}",
            "texts are of letters, digits and `_`: `'lower_case'`",
        ),
        (
            "{'2d'}",
            "texts are of letters, digits and `_`: `'lower_case'`",
        ),
        (
            "int64(2) = (1, 2)",
            "a tuple of numbers has brackets: `a: int64[2]`",
        ),
        (
            "int64(2) = 1",
            "remove the default, or let it be None: `x: T(n)? = None`",
        ),
        (
            "int32 = 1.5",
            "it is not an integer, and int32 takes integers alone",
        ),
        (
            "int64 = 4/2",
            "it is not an integer, as no quotient, root or constant is: int64 takes integers alone",
        ),
        (
            "int32 = 2147483648",
            "int32 goes from -2147483648 to 2147483647",
        ),
        (
            "int64 = 5//2",
            "a quotient of defaults is real: `1/2`; write an integer as it is",
        ),
        (
            "float64 = np.pi",
            "`pi`, `e`, `inf`, `nan` and `sqrt(2)` stand by themselves",
        ),
        (
            "float64 = 2*np.sqrt(2)",
            "`pi`, `e`, `inf`, `nan` and `sqrt(2)` stand by themselves",
        ),
        (
            "float64 = tau",
            "a default is made of numbers, `pi`, `e`, `inf`, `nan` and `sqrt(2)`, as they are here",
        ),
    ] {
        hint(&format!("f(x: float32(n), a: {word}) -> float32"), meant);
    }
    let variable = "f<T: int32, float32>(x: T(n), a: T = 0.5) -> T";
    hint(
        variable,
        "it is not an integer, and int32 takes integers alone",
    );
    hint(
        "f<S: complex64>(x: real(S)(n), y: S(n)) -> S",
        "give an argument a variable of its own: `<T: complex64, R: float32>`",
    );
    hint(
        "f<S: float32>(x: int8(n), y: S) -> S",
        "arrays that cannot be None decide which dtype it is: use it for one, `x: S(n)`, or write a dtype instead of it, \
         or add an argument that chooses it, `dtype: dtype(S)`",
    );
}

#[test]
fn colons_and_quotients() {
    for (declaration, at, problem) in [
        ("f<T float32>(x: T(n)) -> T", 4, "`f` where `:` is expected"),
        ("f<T>(x: T(n)) -> T", 2, "`T` has no dtypes"),
        (
            "f<T: int8>(x: T(n)) -> y T(n)",
            25,
            "`T` where `:` is expected",
        ),
        (
            "f(x: int8(n)) -> int8, y int8",
            25,
            "`i` where `:` is expected",
        ),
        (
            "f(x: int8(n)) -> int8(n/0)",
            24,
            "a size is divided by zero",
        ),
        (
            "f(x: int8(n)) -> int8(n/(1-1))",
            24,
            "a size is divided by zero",
        ),
        (
            "f(x: int8(n)) -> int8(n//2)",
            23,
            "`//` where `/` is expected",
        ),
        (
            "f<T: complex64>(y: T(n), x: real(T)(n)) -> T",
            28,
            "`real` is the dtype of results alone",
        ),
    ] {
        fault(declaration, at, problem);
    }
    hint(
        "f(x: int8(n)) -> int8(n//2)",
        "sizes are divided by `/`, which rounds down: `n/2`",
    );
    hint(
        "f(x: int8(n)) -> y int8(n)",
        "a result with a name is `y: float32(n)`",
    );
    hint("f<T int8>(x: T(n)) -> T", "such as `<T: float32, float64>`");
}

#[test]
fn dtypes_of_c_and_slips_have_a_hint() {
    for (word, meant) in [
        ("float", "float32"),
        ("double", "float64"),
        ("int", "int32"),
        ("flot64", "float64"),
        ("float8", "float8_e4m3fn"),
        ("inot float32", "inout"),
    ] {
        let declaration = format!("f(x: float32(n), a: {word}(n)) -> float32");
        let outcome = add(unchanged(), &["--", &declaration]);
        let hint = format!("\nhint: did you mean `{meant}`?\n");
        assert!(outcome.stderr.ends_with(&hint), "{}", outcome.stderr);
        UNCHANGED.set(Some(outcome));
    }
}

/// Their bytes are other numbers, though the name is nearly the one of a dtype.
#[test]
fn dtypes_that_there_are_not_are_no_slips() {
    for word in ["float8_e5m2fnuz", "float4_e2m1fn", "float8_e4m3fnuz"] {
        let outcome = add(unchanged(), &["--", &format!("f(x: {word}(n)) -> float32")]);
        let hint = "\nhint: pass its bytes as `uint8`; dtypes are `bool`, ";
        assert!(outcome.stderr.contains(hint), "{}", outcome.stderr);
        UNCHANGED.set(Some(outcome));
    }
}

#[test]
fn a_slip_in_any_place_of_a_list_of_dtypes_has_a_hint() {
    for list in [
        "T: flaot64, float32",
        "T: float32, flaot64, float16",
        "T: float32, flaot64",
        "T: float32, flaot64, U: int32",
    ] {
        let declaration = format!("f<{list}>(x: T(n)) -> T");
        let outcome = add(unchanged(), &["--", &declaration]);
        let [fault, hint] = [
            "wrong signature: `flaot64` is not a dtype",
            "did you mean `float64`?",
        ];
        let said = &outcome.stderr;
        assert!(said.contains(fault) && said.contains(hint), "{said}");
        UNCHANGED.set(Some(outcome));
    }
}
