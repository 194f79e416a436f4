//! Declarations that cannot be read, with a mark under the place.

use snapbox::str;

use super::{add, fault, package, refused};

#[test]
fn a_wrong_signature_is_marked() {
    refused(
        &["f(x: float32(n)) -> y: float32(m)"],
        str![[r#"
error: wrong signature: `m` is not a dimension of any argument
  f(x: float32(n)) -> y: float32(m)
                                 ^
hint: an argument gives it: `x: float64(m)`, or an integer: `m: int64`; a size that the function finds is `at most n`: `-> index: int64(at most n)`

"#]],
    );
    refused(
        &["f(x: flaot32(n)) -> float32"],
        str![[r#"
error: wrong signature: `flaot32` is not a dtype
  f(x: flaot32(n)) -> float32
       ^
hint: did you mean `float32`?

"#]],
    );
    refused(
        &["f", "(m,n),(n->(m)"],
        str![[r#"
error: wrong signature: `-` where `,` or `)` is expected
  (m,n),(n->(m)
          ^
hint: such as 'gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)'

"#]],
    );
}

/// Signatures that users try before they know of `at most`.
#[test]
fn a_result_of_a_size_that_the_function_finds() {
    for (size, problem) in [
        ("?", "`?` where a size is expected"),
        ("<=n", "`<` where a size is expected"),
        ("n<5", "`<` where `,` or `)` is expected"),
        ("*", "`*` where a size is expected"),
        (":", "`:` where a size is expected"),
        ("-1", "`-` where a size is expected"),
        (
            "None",
            "`None` cannot be a size: `None` is a Python keyword",
        ),
        ("K", "`K` is not a dimension of any argument"),
        ("n,K", "`K` is not a dimension of any argument"),
    ] {
        let outcome = add(package("cu"), &[&format!("f(x: int8(n)) -> int64({size})")]);
        let (stderr, found) = (
            &outcome.stderr,
            "a size that the function finds is `at most n`",
        );
        assert!(stderr.contains(problem), "{stderr}");
        assert!(stderr.contains(found), "{stderr}");
    }
    refused(
        &["f(x: int8(n), y: int8(?)) -> int64(n)"],
        str![[r#"
error: wrong signature: `?` where a size is expected
  f(x: int8(n), y: int8(?)) -> int64(n)
                        ^
hint: such as 'gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)'

"#]],
    );
    refused(
        &["f", "(n)->(k)"],
        str![[r#"
error: wrong signature: `k` is not a dimension of any argument
  (n)->(k)
        ^
hint: an argument gives it: `x: float64(k)`, or an integer: `k: int64`; a size that the function finds is `at most n`: `-> index: int64(at most n)`

"#]],
    );
    refused(
        &["f(x: int8(n)) -> int64(at most k)"],
        str![[r#"
error: wrong signature: `k` is not a dimension of any argument
  f(x: int8(n)) -> int64(at most k)
                                 ^
hint: an argument gives it: `x: float64(k)`, or an integer: `k: int64`

"#]],
    );
}

#[test]
fn forms_that_do_not_go_together() {
    refused(
        &["f", "f(x: int8(n)) -> int8", "--dtypes", "f32"],
        str![[r#"
error: `--dtypes` is for a signature without dtypes
hint: write them there: `<T: float32, float64>`

"#]],
    );
    refused(
        &["f", "(x: int8(n)) -> int8"],
        str![[r#"
error: wrong signature: `(` where the name of the function is expected
  (x: int8(n)) -> int8
  ^
hint: such as 'gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)'

"#]],
    );
}

#[test]
fn faults() {
    for (signature, at, problem) in [
        ("f(x float32(n)) -> float32", 4, "`f` where `:` is expected"),
        (
            "f(x: float32(n)",
            15,
            "it ends where `,` or `)` is expected",
        ),
        ("f(x: float32(n)) -> float32 y", 28, "unexpected `y`"),
        ("f(x: T(n)) -> float32", 5, "`T` is not a dtype"),
        (
            "f<float32>(x: float32(n)) -> float32",
            2,
            "a dtype without a variable before it",
        ),
        (
            "f<T: int8, int8>(x: T(n)) -> T",
            11,
            "`int8` is there twice",
        ),
        (
            "f<T: int8>(x: int8(n)) -> T",
            2,
            "`T` is the dtype of no array that every call has",
        ),
        (
            "f(x: float32(n), x: int8) -> int8",
            17,
            "`x` is there twice",
        ),
        (
            "f(x: inout float32)",
            2,
            "`x` is a number, which cannot be written",
        ),
        (
            "f(x: float32(n) = 1) -> int8",
            18,
            "`x` is an array, which every call must have",
        ),
        (
            "f(a: int8 = 1, x: int8(n)) -> int8",
            15,
            "`x` has no default and follows `a`, which has one",
        ),
        (
            "f(x: int8(n)) -> int8(...)",
            17,
            "the result has any shape, and no argument has one to take it from",
        ),
        (
            "f(n: float32) -> y: int8(n)",
            25,
            "`n` is a size and no integer",
        ),
        (
            "f(n: int8(m)) -> y: int8(n)",
            25,
            "`n` is an array and a size",
        ),
        (
            "f(x: int8(a,b,c,d,e,f2,g,h,j)) -> int8",
            2,
            "more than 8 dimensions",
        ),
        (
            "f(stream: int8(n)) -> int8",
            2,
            "`stream` cannot be an argument: the code around it uses that name",
        ),
        (
            "f(lambda: int8(n)) -> int8",
            2,
            "`lambda` cannot be an argument: `lambda` is a Python keyword",
        ),
        (
            "f(x: int8(if)) -> int8",
            10,
            "`if` cannot be a size: `if` is a Python keyword",
        ),
        (
            "f(x: int8(n), a: int8 = ) -> int8",
            24,
            "here a number is expected",
        ),
        (
            "f(x: int8(n)) -> int8(n-99)",
            0,
            "no sizes were found for a test of it",
        ),
        (
            "f<T: int8, T: int16>(x: T(n)) -> T",
            11,
            "`T` is there twice",
        ),
        ("f<S: int8>(S: S(n)) -> S", 11, "`S` is there twice"),
        (
            "f(x: int8(f)) -> int8",
            10,
            "`f` is a size and something else",
        ),
        (
            "f(x: int8(n)) -> n: int8(n)",
            10,
            "`n` is a size and something else",
        ),
        (
            "f(n: int64 = True) -> int8(n)",
            0,
            "no sizes were found for a test of it",
        ),
        (
            "f(x: int8(99999999999999999999)) -> int8",
            10,
            "the number is too large",
        ),
    ] {
        fault(signature, at, problem);
    }
    let many: Vec<_> = (0..33).map(|it| format!("a{it}: int8")).collect();
    fault(
        &format!("f({}) -> int8", many.join(", ")),
        0,
        "more than 32 arguments and results",
    );
    let long = "a".repeat(64);
    for (what, at, declaration) in [
        ("an argument", 2, "f(LONG: int8(n)) -> int8"),
        ("a size", 10, "f(x: int8(LONG)) -> int8"),
        ("a result", 17, "f(x: int8(n)) -> LONG: int8"),
        ("a dtype variable", 2, "f<LONG: int8>(x: LONG(n)) -> int8"),
    ] {
        let problem = format!("`{long}` cannot be {what}: it has more than 63 letters");
        fault(&declaration.replace("LONG", &long), at, &problem);
    }
}

#[test]
fn limits_of_the_runtime() {
    let sum = |terms: usize| vec!["n"; terms].join("+");
    let most = format!("f(x: int8(n)) -> int8({})", sum(32));
    add(package("cu"), &[&most]).success();
    let more = sum(33);
    fault(
        &format!("f(x: int8(n)) -> int8({more})"),
        22 + more.len() - 2,
        "the sizes have more than 64 names, numbers and signs",
    );
    let nested = |depth: usize| {
        format!(
            "f(x: int8({}n{})) -> int8",
            "(".repeat(depth),
            ")".repeat(depth)
        )
    };
    fault(&nested(17), 26, "more than 16 parentheses are open");
    fault(&nested(30_000), 26, "more than 16 parentheses are open");
    let all = "bool, int8, int16, int32";
    fault(
        "f<A: int8, B: int8, C: int8, D: int8, E: int8>(a: A(n), b: B(n), c: C(n), d: D(n), e: E(n)) -> int8",
        38,
        "more than 4 dtype variables",
    );
    fault(
        &format!(
            "f<A: {all}, B: {all}, C: {all}, D: {all}, float32>(a: A(n), b: B(n), c: C(n), d: D(n)) -> int8"
        ),
        2,
        "320 combinations of dtypes, more than 256",
    );
    let shape = |letter: char| {
        (0..8)
            .map(|it| format!("{letter}{it}"))
            .collect::<Vec<_>>()
            .join(",")
    };
    fault(
        &format!(
            "f(x: int8({}), y: int8({}), z: int8(c)) -> int8",
            shape('a'),
            shape('b')
        ),
        78,
        "more than 16 sizes with names",
    );
}

#[test]
fn defaults() {
    for (default, problem) in [
        ("int8 = 300", "`300` is no int8"),
        ("int8 = -129", "`-129` is no int8"),
        ("uint8 = -1", "`-1` is no uint8"),
        ("bool = 2", "`2` is no bool"),
        ("bool = 0.5", "`0.5` is no bool"),
        ("int64 = 2.5", "`2.5` is no int64"),
        ("int64 = 1e3", "`1e3` is no int64"),
        (
            "int64 = 9223372036854775808",
            "`9223372036854775808` is beyond the integers of declarations",
        ),
        (
            "uint64 = 18446744073709551615",
            "`18446744073709551615` is beyond the integers of declarations",
        ),
        (
            "float64 = 99999999999999999999",
            "`99999999999999999999` is beyond the integers of declarations",
        ),
        ("float16 = 1e10", "`1e10` is infinite in float16"),
        ("float16 = 65520", "`65520` is infinite in float16"),
        ("float32 = -1e39", "`-1e39` is infinite in float32"),
        ("complex64 = 1e39", "`1e39` is infinite in complex64"),
        ("float64 = 1e999", "`1e999` is infinite in float64"),
        ("float8_e4m3fn = inf", "`inf` is infinite in float8_e4m3fn"),
        ("int32 = inf", "`inf` is no int32"),
        ("bool = nan", "`nan` is no bool"),
        (
            "float64 = 0.12345678901234567890123456789012345678901",
            "a number with more than 40 digits",
        ),
        ("float64 = 007", "a number that begins with `0`"),
        ("float64 = -00.5", "a number that begins with `0`"),
    ] {
        let at = 20 + default.find('=').unwrap() - 1;
        fault(
            &format!("f(x: int8(n), *, a: {default}) -> int8"),
            at + 3,
            problem,
        );
    }
    let variable = "f<T: int8, float32>(x: T(n), a: T = 128) -> T(n)";
    fault(variable, 36, "`128` is no int8");
    for default in [
        "int8 = -128",
        "uint64 = 9223372036854775807",
        "int64 = -9223372036854775808",
        "float16 = 65504",
        "float32 = 3.4e38",
        "float64 = 1.7976931348623157e308",
        "complex128 = 4.9e-324",
        "bool = 1",
        "int32 = True",
    ] {
        add(
            package("cu"),
            &[&format!("f(x: int8(n), *, a: {default}) -> int8")],
        )
        .success();
    }
    let outcome = add(
        package("rust"),
        &["f(x: int8(n), *, a: int64 = 2147483648) -> int8"],
    );
    let expected = "error: wrong signature: `2147483648` is beyond the integers of declarations\n";
    assert!(outcome.stderr.starts_with(expected), "{}", outcome.stderr);
}
