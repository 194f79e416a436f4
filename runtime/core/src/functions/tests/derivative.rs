//! Derivatives that cannot be: each is refused at its place.

use super::*;
use crate::error::Kind;
use crate::functions::Source;
use crate::functions::derivative::read;

const ROWS: Shape = Shape::leading(&[N]);
const INDEX: Type = Type::Fixed(DType::I32);
const SHORT: Type = Type::Fixed(DType::BF16);

/// One function, of the dtypes of T.
fn declared(
    name: &'static str,
    arguments: &'static [Argument],
    derivative: &'static str,
) -> Function {
    let spec = function(arguments, None).spec;
    Function::new(Spec {
        name,
        derivative,
        ..spec
    })
}

/// norm(x: T(...,n), w: T(n), i: int32(n), *, eps: float64 = 1) -> y: T(...,n), int32(n)
const NORM: &[Argument] = &[
    Argument::input("x", T, ROWS),
    Argument::input("w", T, shape(&[N])).optional(),
    Argument::input("i", INDEX, shape(&[N])),
    Argument::scalar("eps", REAL)
        .keyword_only()
        .or(cuvec_spec::Number::Integer(1)),
    Argument::result("y", T, ROWS),
    Argument::result("", INDEX, shape(&[N])),
];

/// The functions of a package, the first with this derivative.
fn package(derivative: &'static str) -> Vec<Function> {
    const BWD: &[Argument] = &[
        Argument::input("dy", T, ROWS),
        Argument::input("x", T, ROWS),
        Argument::scalar("eps", REAL).keyword_only(),
        Argument::scalar("count", COUNT)
            .keyword_only()
            .or(cuvec_spec::Number::Integer(1)),
        Argument::result("dx", T, ROWS),
    ];
    const SHORTER: &[Argument] = &[
        Argument::input("dy", SHORT, ROWS),
        Argument::result("dx", SHORT, ROWS),
    ];
    const WIDE: &[Argument] = &[
        Argument::input("dy", T, ROWS),
        Argument::result("dx", REAL, ROWS),
    ];
    const SQUARE: &[Argument] = &[
        Argument::input("a", T, shape(&[M, N])),
        Argument::result("b", T, shape(&[M, N])),
    ];
    const IN_PLACE: &[Argument] = &[Argument::inout("dy", T, ROWS)];
    vec![
        declared("norm", NORM, derivative),
        declared("bwd", BWD, ""),
        declared("short", SHORTER, ""),
        declared("wide", WIDE, ""),
        declared("square", SQUARE, ""),
        declared("in_place", IN_PLACE, ""),
    ]
}

#[test]
fn names_are_looked_up() {
    let functions = package("dx = bwd(dy, x, count=2, eps=eps); dw = bwd(dy, y, eps=0.5)");
    let steps = read(&functions[0].spec, &functions).unwrap();
    assert_eq!(steps[0].gradients, [0]);
    assert_eq!(steps[0].function.name, "bwd");
    let two = Source::Number(cuvec_spec::Number::Integer(2));
    let passed = [
        (0, Source::Gradient(4)),
        (1, Source::Value(0)),
        (3, two),
        (2, Source::Value(3)),
    ];
    assert_eq!(steps[0].arguments, passed);
    assert_eq!(steps[1].gradients, [1]);
    assert_eq!(steps[1].arguments[1], (1, Source::Value(4)));
}

#[test]
fn wrong_names_counts_and_types_have_a_place() {
    for (derivative, message, place) in [
        (
            "dx",
            "`=` is expected: a derivative is written such as `dx, dw = f_bwd(dy, x, w)`",
            2,
        ),
        (
            "dz = bwd(dy, x, eps=1)",
            "`dz` is the gradient of no argument; those are `dx`, `dw`",
            0,
        ),
        (
            "deps = bwd(dy, x, eps=1)",
            "`eps` is a scalar, which has no gradient",
            0,
        ),
        (
            "di = bwd(dy, x, eps=1)",
            "`i` is int32(n,), which has no gradient",
            0,
        ),
        ("dx, dx = bwd(dy, x, eps=1)", "`dx` is there twice", 4),
        (
            "dx, dw = bwd(dy, x, eps=1)",
            "`bwd` has 1 results for 2 gradients",
            9,
        ),
        ("dx = bwt(dy)", "`bwt` is no function of the package", 5),
        (
            "dx = in_place(dy)",
            "`in_place` writes its argument `dy`; gradients are what a function returns",
            5,
        ),
        (
            "dx = bwd(dy, z, eps=1)",
            "`z` is none of `x`, `w`, `i`, `eps`, `y`, `out`, `dy`, `dout`",
            13,
        ),
        (
            "dx = bwd(dout, x, eps=1)",
            "`out` is int32(n,), which has no gradient",
            9,
        ),
        ("dx = bwd(dy, x)", "`eps` of `bwd` is missing", 14),
        (
            "dx = bwd(dy, x, eps)",
            "`bwd` takes no further argument by position",
            16,
        ),
        ("dx = bwd(dy, x, a=1)", "`bwd` takes no argument `a`", 16),
        (
            "dx = bwd(dy, x, x=x, eps=1)",
            "`x` of `bwd` is given twice",
            18,
        ),
        (
            "dx = bwd(dy, eps, eps=1)",
            "`eps` is a scalar, and `x` of `bwd` an array",
            13,
        ),
        (
            "dx = bwd(dy, w, eps=1)",
            "`w` may be None, and `x` of `bwd` may not",
            13,
        ),
        (
            "dx = bwd(dy, 2, eps=1)",
            "2 is a scalar, and `x` of `bwd` an array",
            13,
        ),
        (
            "dx = bwd(dy, x, eps=w)",
            "`w` is an array, and `eps` of `bwd` a scalar",
            20,
        ),
        (
            "dx = bwd(dy, x, eps=1, count=0.5)",
            "0.5 does not fit into `count` of `bwd`, of int32",
            29,
        ),
        (
            "dx = bwd(dy, i, eps=1)",
            "`i` can be int32, and then `x` of `bwd` must be float32",
            13,
        ),
        (
            "dx = short(dy)",
            "`dy` can be float32, and then `dy` of `short` must be bfloat16",
            11,
        ),
        (
            "dx = wide(dy)",
            "`x` can be float32, and then its gradient from `wide` is float64",
            5,
        ),
        (
            "dw = square(w)",
            "`w` is T(n,)?, and `a` of `square` is T(m, n)",
            12,
        ),
    ] {
        let functions = package(derivative);
        let error = read(&functions[0].spec, &functions).unwrap_err();
        let mark = " ".repeat(place);
        let text = format!(
            "kernels/f.rs: in the derivative of `norm`, {message}\n    {derivative}\n    {mark}^"
        );
        assert_eq!(error, Kind::Unavailable(text).into(), "{error}");
    }
}

/// saving(x: T(...,n)) -> y: T(...,n), s: saved T(...,n), of a function that may have a derivative itself.
fn saving(derivative: &'static str, next: &'static str) -> String {
    const SAVING: &[Argument] = &[
        Argument::input("x", T, ROWS),
        Argument::result("y", T, ROWS),
        Argument::result("s", T, ROWS).saved(),
    ];
    const BWD: &[Argument] = &[
        Argument::input("dy", T, ROWS),
        Argument::input("root", T, ROWS),
        Argument::result("dx", T, ROWS),
    ];
    let functions = [("saving", SAVING, derivative), ("bwd", BWD, next)];
    let functions: Vec<_> = functions.map(|it| declared(it.0, it.1, it.2)).into();
    let steps = read(&functions[0].spec, &functions);
    steps.map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn what_is_saved_is_used_as_a_constant() {
    assert_eq!(saving("dx = bwd(dy, s)", ""), "");
    assert_eq!(saving("dx = bwd(dy, s)", "ddy = bwd(ddx, root)"), "");
    for (derivative, next, message) in [
        (
            "",
            "",
            "`s` is saved and not used; pass it, or do not save it",
        ),
        ("dx = bwd(dy, x)", "", "`s` is saved and not used"),
        ("dx = bwd(ds, s)", "", "`ds` is none of `x`, `y`, `s`, `dy`"),
        (
            "dx = bwd(dy, s)",
            "droot = bwd(ddx, dy)",
            "`s` is saved, so that its gradient would be lost, which the derivative of `bwd` calculates",
        ),
    ] {
        let error = saving(derivative, next);
        assert!(error.contains(message), "{derivative}: {error}");
    }
}

#[test]
fn functions_that_write_arguments_have_no_derivative() {
    const AXPY: &[Argument] = &[
        Argument::input("x", T, Shape::ANY),
        Argument::inout("y", T, Shape::ANY),
    ];
    const BY_NAME: &[Argument] = &[
        Argument::input("x", T, Shape::ANY).keyword_only(),
        Argument::result("y", T, Shape::ANY),
    ];
    const NOTHING: &[Argument] = &[Argument::input("x", T, Shape::ANY)];
    for (arguments, why) in [
        (NOTHING, "`f` returns nothing"),
        (AXPY, "`f` writes its argument `y`"),
        (BY_NAME, "`f` takes `x` by name only"),
    ] {
        let functions = [declared("f", arguments, "dx = f(dy)")];
        let error = read(&functions[0].spec, &functions)
            .unwrap_err()
            .to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_name_has_one_meaning() {
    const BOTH: &[Argument] = &[
        Argument::input("dy", T, Shape::ANY),
        Argument::result("y", T, Shape::ANY),
    ];
    let functions = [declared("f", BOTH, "ddy = f(dy)")];
    let error = read(&functions[0].spec, &functions)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`dy` has two meanings; rename an argument"),
        "{error}"
    );
}

#[test]
fn a_dtype_that_is_passed_or_a_default_is_the_dtype_of_the_arrays() {
    const DTYPES: &[&str] = &["float32", "float64"];
    const CONVERTED: &[Argument] = &[
        Argument::input("x", REAL, ROWS),
        Argument::dtype("dtype", 0, DTYPES),
        Argument::result("y", T, ROWS),
    ];
    const CHOSEN: &[Argument] = &[
        Argument::input("a", T, ROWS),
        Argument::dtype("dtype", 0, DTYPES),
        Argument::result("da", REAL, ROWS),
    ];
    const DEFAULT: &[Argument] = &[
        Argument::input("a", T, ROWS),
        Argument::dtype("dtype", 0, DTYPES).or(cuvec_spec::Number::Integer(0)),
        Argument::result("da", REAL, ROWS),
    ];
    for (derivative, message) in [
        ("dx = chosen(dy, dtype)", ""),
        ("dx = default(dy, dtype)", ""),
        (
            "dx = chosen(x, dtype)",
            "`x` can be float64, and then `a` of `chosen` must be float32",
        ),
        (
            "dx = default(dy)",
            "`dy` can be float64, and then `a` of `default` must be float32",
        ),
    ] {
        let functions = [
            declared("converted", CONVERTED, derivative),
            declared("chosen", CHOSEN, ""),
            declared("default", DEFAULT, ""),
        ];
        let read = read(&functions[0].spec, &functions);
        let error = read.map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(message.is_empty(), error.is_empty(), "{error}");
        assert!(error.contains(message), "{error}");
    }
}
