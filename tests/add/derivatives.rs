//! The second function that `--derivative` writes.

use snapbox::str;

use super::{add, package, refused};

#[test]
fn a_derivative_is_a_second_function_with_tests() {
    let rows = "rows<T: float32, float16>(x: T(...,n), w: T(n), *, eps: float64 = 1) -> T(...,n)";
    let outcome = add(package("cu"), &[rows, "--derivative"]).success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
added `rows`:
  kernels/rows.cu
  kernels/rows_bwd.cu
  tests/test_rows.py
  tests/test_rows_bwd.py
next:
  write what it computes in kernels/rows.cu and kernels/rows_bwd.cu, and the same in NumPy in `expected` of tests/test_rows.py
  pip install . pytest && pytest tests/test_rows.py tests/test_rows_bwd.py

"#]]
    );
    let derivative = "derivative = \"dx, dw = rows_bwd(dout, x, w, eps=eps)\";";
    assert!(outcome.read("p/kernels/rows.cu").contains(derivative));
    let backward = outcome.read("p/kernels/rows_bwd.cu");
    // The gradient of `w` has leading dimensions, over which it is summed.
    for part in [
        "rows_bwd<T: float32, float16>(dout: T(...,n), x: T(...,n),",
        "-> dx: T(...,n), dw: T(...,n)",
        "doc = \"The gradients of `rows`.\";",
        "which is zero in this stub: write it here.\n",
    ] {
        assert!(backward.contains(part), "{part}: {backward}");
    }
    let tests = outcome.read("p/tests/test_rows_bwd.py");
    let arrays = "\"x\": rng.standard_normal((2, 3, 2)).astype(\"float32\"),";
    assert!(tests.contains(arrays), "{tests}");
    let outcome = add(
        outcome,
        &["scaled", "(n)->(n)", "--kernels", "rust", "--derivative"],
    )
    .success();
    let rust = outcome.read("p/kernels/scaled.rs");
    assert!(
        rust.contains("\n    derivative dx = scaled_bwd(dout, x);\n    {\n"),
        "{rust}"
    );
}

#[test]
fn a_derivative_takes_what_is_saved() {
    let norm = "norm<T: float32, float64>(x: T(...,n), a: T, *, eps: float64 = 1) -> y: T(...,n), rstd: saved float32(...)";
    let outcome = add(package("cu"), &[norm, "--derivative"]).success();
    let forward = outcome.read("p/kernels/norm.cu");
    assert!(forward.contains("-> y: T(...,n), rstd: saved float32(...)"));
    assert!(forward.contains("\"dx = norm_bwd(dy, x, a, rstd, eps=eps)\""));
    assert!(forward.contains("float &rstd) {"));
    let backward = outcome.read("p/kernels/norm_bwd.cu");
    assert!(backward.contains("a: T, rstd: float32(...), *,"));
    let test = outcome.read("p/tests/test_norm.py");
    assert!(test.contains("    y = norm(x, a)\n") && !test.contains("rstd"));
    let outcome = add(
        outcome,
        &[
            "root(x: float32(n)) -> y: float32(n), s: saved float32(n)",
            "--kernels",
            "rust",
            "--derivative",
        ],
    )
    .success();
    let rust = outcome.read("p/kernels/root.rs");
    assert!(rust.contains("-> (y: f32[n], s: saved f32[n])"), "{rust}");
}

/// Those with a default stay behind those without.
#[test]
fn a_derivative_takes_optional_arrays_options_and_tuples() {
    let affine = "affine(x: float64(...,n), how: {'a', 'b'}, w: float64[2], bias: float64(n)? = None, side: {'c'} = 'c') -> y: float64(...,n)";
    let outcome = add(package("cu"), &[affine, "--derivative"]).success();
    let forward = outcome.read("p/kernels/affine.cu");
    let derivative = "\"dx, dbias = affine_bwd(dy, x, how, w, bias, side)\"";
    assert!(forward.contains(derivative), "{forward}");
    let backward = outcome.read("p/kernels/affine_bwd.cu");
    for part in [
        "how: {'a', 'b'}, w: float64[2], bias: float64(n)? = None,",
        "side: {'c'} = 'c') -> dx: float64(...,n),",
        "RowIn<double> bias, AffineBwdSide side",
    ] {
        assert!(backward.contains(part), "{part}: {backward}");
    }
    let tests = outcome.read("p/tests/test_affine_bwd.py");
    let numbers = "NUMBERS = {\"how\": \"a\", \"w\": (2,) * 2}\nGRADIENTS = [\"x\", \"bias\"]\n";
    assert!(tests.contains(numbers), "{tests}");
}

/// The gradient of a result says which dtype it is, and one of no result is asked for again.
#[test]
fn a_derivative_of_dtypes_that_are_asked_for() {
    let cast = "cast<D: float32, float64, int8>(x: float64(n), *, dtype: dtype(D)) -> y: D(n)";
    let outcome = add(package("cu"), &[cast, "--derivative"]).success();
    assert!(
        outcome
            .read("p/kernels/cast.cu")
            .contains("dtype: dtype(D)) -> y: D(n)")
    );
    let backward = outcome.read("p/kernels/cast_bwd.cu");
    let parameters = "(dy: D(n), x: float64(n))\n";
    assert!(backward.contains(parameters), "{backward}");
    let tests = outcome.read("p/tests/test_cast_bwd.py");
    assert!(
        tests.contains("NUMBERS = {\"dtype\": \"float64\"}\n"),
        "{tests}"
    );
    let of_torch = "{**tensors, **NUMBERS, \"dtype\": torch.float64})";
    assert!(tests.contains(of_torch), "{tests}");

    let scale =
        "scale<D: float32, float64>(x: float64(n), a: D, dtype: D = float32) -> y: float64(n)";
    let outcome = add(outcome, &[scale, "--derivative", "--kernels", "rust"]).success();
    let forward = outcome.read("p/kernels/scale.rs");
    let derivative = "derivative dx = scale_bwd(dy, x, a, dtype);";
    assert!(forward.contains(derivative), "{forward}");
    let backward = outcome.read("p/kernels/scale_bwd.rs");
    let parameters = "(dy: &f64[n], x: &f64[n], a: D, dtype: D = f32) -> dx: f64[n]";
    assert!(backward.contains(parameters), "{backward}");
}

/// `real(T)` is of results alone: the gradient has a variable of its own.
#[test]
fn a_derivative_of_a_real_part() {
    let norm = "norm<T: float64, complex128, complex64>(x: T(n)) -> y: real(T)(n)";
    let outcome = add(package("cu"), &[norm, "--derivative"]).success();
    let backward = outcome.read("p/kernels/norm_bwd.cu");
    for part in [
        "Real: float64,\n      float32>(dy: Real(n),",
        "(Real dy, T x, T &dx)",
    ] {
        assert!(backward.contains(part), "{part}: {backward}");
    }
}

#[test]
fn results_that_cannot_be_saved() {
    let stderr = "error: `--derivative` is missing\nhint: a saved result is for it\n";
    refused(
        &["f(x: float64(n)) -> y: float64(n), s: saved float64(n)"],
        stderr.to_owned(),
    );
    for (results, place) in [
        ("s: saved float64(n)", 0),
        ("y: float64(n), s: saved float64(n), z: float64(n)", 15),
        ("y: float64(n), saved float64(n)", 15),
        ("y: float64(n), s: saved float64", 15),
    ] {
        let declaration = format!("f(x: float64(n)) -> {results}");
        let mark = " ".repeat("f(x: float64(n)) -> ".len() + place);
        let stderr = format!(
            "error: wrong signature: a saved result is behind those that are not, and has a name and a shape\n  \
             {declaration}\n  {mark}^\n\
             hint: put it behind a result, such as `-> y: float64(n), rstd: saved float64()`\n"
        );
        refused(&[&declaration], stderr);
    }
}

#[test]
fn what_has_no_derivative() {
    for (declaration, problem, hint) in [
        (
            "f(y: inout float64(n)) -> float64",
            "is for a function that returns something and writes no argument",
            "return what it writes: `-> y: T(n)`",
        ),
        (
            "f(*, x: float64(n)) -> y: float64(n)",
            "is not for an array that is given by name only",
            "put arrays before the `*`",
        ),
        (
            "f(x: float16(n)) -> y: float64(n)",
            "is for an array, and a result, of float32, float64 or complex numbers",
            "leave it out, or add such a dtype",
        ),
        (
            "f(x: float64(n)) -> float64(n), float64",
            "is not for several results without names",
            "give each a name: `-> q: T(n), r: T(n)`",
        ),
        (
            "f(x: float64(n), dy: float64(n)) -> y: float64(n)",
            "`dy` is there twice",
            "give each a name of its own",
        ),
    ] {
        let stderr = format!("error: `--derivative` {problem}\nhint: {hint}\n");
        refused(&[declaration, "--derivative"], stderr);
    }
}
