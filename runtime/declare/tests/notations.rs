//! The notations of declarations: NumPy's, and Rust's of `kernel!`.

use cuvec_declare::read::{Known, declaration, head};
use cuvec_declare::signature::words;
use cuvec_declare::{Declaration, Fault};

fn text(read: Result<Declaration, Fault>) -> String {
    let read = read.unwrap_or_else(|it| panic!("{} at {}", it.problem, it.at));
    words(&read, 0).join(" ")
}

#[test]
fn both_are_one_declaration() {
    for (numpy, rust) in [
        (
            "gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0.5) -> y: T(m)",
            "gemv<T: f32 | f64>(a: &T[m, n], x: &T[n], *, beta: T = 0.5,) -> y: T[m]",
        ),
        (
            "f<I, J: int32, int64>(i: inout I(2*(n-1)) strided, j: out J(...,n)?) -> int64, rest: saved int8(n)",
            "f<I, J: i32 | i64>(i: &mut I[2 * (n - 1)] strided, j: Option<&out J[..., n]>) -> (_size: i64, rest: saved i8[n])",
        ),
        (
            "g(n: int64, mode: {'a', 'b'} = 'b', at: int64[2] = (1, -1), flag: bool = True) -> k: int64(at most n)",
            "g(n: usize, mode: {a, b} = b, at: [i64; 2] = [1, -1], flag: bool = true) -> k: i64[at most n]",
        ),
        (
            "h<D: float16, complex64>(x: int8(n), a: float64 = -sqrt(2.0)**3, dtype: D = float16) -> y: real(D)(n)",
            "h<D: f16 | complex64>(x: &i8[n], a: f64 = -pow(sqrt(2.0), 3), dtype: D = f16) -> y: real(D)[n]",
        ),
        (
            "of(x: int8(n), how: {'None', 'all'} = 'None') -> y: int8(n)",
            "of(x: &i8[n], how: {None, all} = None) -> y: i8[n]",
        ),
    ] {
        assert_eq!(text(declaration(rust, &[])), numpy);
        assert_eq!(text(declaration(numpy, &[])), numpy);
    }
}

/// The body is Rust, and no part of it.
#[test]
fn a_head_ends_where_the_body_begins() {
    let known = Known::default();
    for head_text in [
        "f(x: &mut f64[n])",
        "f(x: &f64[n]) -> y: f64[n]",
        "f(x: &f64[n]) -> f64",
    ] {
        let text = format!("{head_text} each y[i] by warp");
        let (_, end) = head(&text, &known).unwrap_or_else(|it| panic!("{}", it.problem));
        assert_eq!(text[..end].trim_end(), head_text);
    }
}
