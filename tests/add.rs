//! `cuvec-new add`. That what it writes builds, and passes the checks of packages, is shown by `ci/package/test_add.py`.

use std::path::Path;

use snapbox::data::DataFormat;
use snapbox::{Data, str};

use crate::project::{Outcome, Project, files, write};

/// A package of these kernels, to which a line then adds something.
fn package(kernels: &str) -> Outcome {
    let project = Project::new("mypkg").kernels(kernels).output("p");
    project.arg("--no-git").run().success()
}

fn add(outcome: Outcome, arguments: &[&str]) -> Outcome {
    outcome
        .again("add")
        .args(["--package", "p"])
        .args(arguments)
        .run()
}

/// What is refused, and nothing is written.
#[track_caller]
fn refused(arguments: &[&str], stderr: impl snapbox::IntoData) {
    let outcome = package("cu");
    let before = files(&outcome.path("p"));
    let outcome = add(outcome, arguments);
    assert_eq!(files(&outcome.path("p")), before);
    outcome.failure(2, stderr);
}

#[test]
fn it_writes_two_files_and_nothing_else() {
    let outcome = package("cu");
    let before = files(&outcome.path("p"));
    let outcome = add(
        outcome,
        &["gemv", "(m,n),(n)->(m)", "--dtypes", "f32,float64"],
    )
    .success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
added `gemv`:
  kernels/gemv.cu
  tests/test_gemv.py
next:
  write what an element is in kernels/gemv.cu, and the same in NumPy in `expected` of tests/test_gemv.py
  pip install . pytest && pytest tests/test_gemv.py

"#]]
    );
    let mut after = files(&outcome.path("p"));
    after.retain(|path| !before.contains(path));
    assert_eq!(after, ["kernels/gemv.cu", "tests/test_gemv.py"]);
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/gemv.cu"),
        str![[r##"
#include <cuvec.h>

using namespace cuvec;

// Element `i` of `y` in memory, which is zero in this stub: write it here, and
// in the test.
template <class T> __host__ __device__ T gemv_y(In<T, 2> a, In<T> x, int64 i) {
  (void)a;
  (void)x;
  (void)i;
  return T();
}

template <class T> __global__ void gemv_y_kernel(In<T, 2> a, In<T> x, Out<T> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = gemv_y<T>(a, x, i);
  }
}

struct gemv {
  static constexpr auto signature = "gemv<T: float32, float64>(a: T(m,n), x: T(n)) -> T(m)";
  static constexpr auto doc = R"(Say here what `gemv` does.

a: say here what it is
x: say here what it is
out: say here what it is)";

  template <class T> static void gpu(Call &call, In<T, 2> a, In<T> x, Out<T> y) {
    call.launch<gemv_y_kernel<T>>(threads_for(y.size()), a, x, y);
  }

  template <class T> static void cpu(In<T, 2> a, In<T> x, Out<T> y) {
    parallel(y.size(), [=](int64 i) { y[i] = gemv_y<T>(a, x, i); });
  }
};
CUVEC_EXPORT(gemv);

"##]]
    );
    snapbox::assert_data_eq!(
        outcome.read("p/tests/test_gemv.py"),
        str![[r#"
"""`gemv`, compared with NumPy. On a GPU if there is one."""

import numpy as np
import pytest

from mypkg import cuvec, gemv


def expected(a, x):
    # Write here what the function is in NumPy; the stub of the kernel does the same.
    return np.zeros((a.shape[0],), a.dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("m", "n"), [(2, 3), (7, 5), (33, 40)])
def test_gemv(dtype, m, n):
    rng = np.random.default_rng(0)
    a = cuvec.asarray(rng.standard_normal((m, n)), dtype)
    x = cuvec.asarray(rng.standard_normal((n,)), dtype)
    wanted = expected(a, x)
    y = gemv(a, x)
    np.testing.assert_allclose(y, wanted, rtol=1e-5)

"#]]
    );
}

#[test]
fn a_function_of_elements_is_one_body() {
    let declaration = "shift<T: float32, int32>(a: T(...), x: inout T(...), by: T = 1) -> T(...)";
    let outcome = add(package("cu"), &[declaration, "--quiet"]).success();
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/shift.cu"),
        str![[r##"
#include <cuvec.h>

struct shift {
  static constexpr auto signature = R"(shift<T: float32, int32>(a: T(...), x: inout T(...),
      by: T = 1) -> T(...))";
  static constexpr auto doc = R"(Say here what `shift` does.

a: say here what it is
x: say here what it is
by: say here what it is
out: say here what it is)";

  // An element, which is zero in this stub: write it here, and in the test.
  template <class T> static __host__ __device__ void each(T a, T &x, T by, T &y) {
    (void)a;
    (void)x;
    (void)by;
    y = T();
  }
};
CUVEC_EXPORT(shift);

"##]]
    );
}

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
  write what an element is in kernels/rows.cu and kernels/rows_bwd.cu, and the same in NumPy in `expected` of tests/test_rows.py
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
    assert!(forward.contains("Out<T, 2> y, Out<float> rstd"));
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
        "In<double> bias, AffineBwdSide side, Out<double, 2> dx",
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
fn a_dtype_without_a_default() {
    let full = "full<D: float32, int8>(n: int64, dtype: dtype(D), *, other: dtype(D)) -> D(n)";
    let chosen = "full<D: float32, int8>(n: int64, dtype: dtype(D)) -> D(n)";
    refused(
        &[full],
        "error: wrong signature: `other` chooses `D`, which an array or another argument decides\n"
            .to_owned()
            + &format!(
                "  {full}\n  {:53}^\nhint: give it a variable of its own\n",
                ""
            ),
    );
    let outcome = add(package("cu"), &[chosen]).success();
    assert!(outcome.read("p/kernels/full.cu").contains(chosen));
    assert!(
        outcome
            .read("p/tests/test_full.py")
            .contains("y = full(n, dtype)\n")
    );
    let outcome = add(
        outcome,
        &[
            "ones<D: float32, int8>(dtype: dtype(D)) -> D(3)",
            "--kernels",
            "rust",
        ],
    )
    .success();
    let rust = outcome.read("p/kernels/ones.rs");
    assert!(
        rust.contains("ones<D: f32 | i8>(dtype: dtype(D)) -> "),
        "{rust}"
    );
}

#[test]
fn arrays_with_strides() {
    let turn = "turn(x: inout float32(b,2*n) strided, table: float32(n) rows)";
    let outcome = add(package("cu"), &[turn]).success();
    let cuda = outcome.read("p/kernels/turn.cu");
    assert!(cuda.contains(&format!("\"{turn}\"")), "{cuda}");
    assert!(cuda.contains("Out<float, 2, Strided> x, In<float, 1, Rows> table"));
    let grow = "grow(x: inout float32(...) strided)";
    let outcome = add(outcome, &[grow, "--kernels", "rust"]).success();
    let rust = outcome.read("p/kernels/grow.rs");
    assert!(rust.contains("grow(x: &mut f32[...] strided)\n"), "{rust}");
    assert!(rust.contains("    each x[i] { x }\n"), "{rust}");
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

#[test]
fn the_same_in_rust() {
    let declaration = "gemv<T: float32, float64>(a: T(m,n), x: T(n), *, k: int64 = 2, up: bool = True) -> y: T(m), T(k/2)";
    let outcome = add(package("rust"), &[declaration, "--quiet"]).success();
    assert_eq!(outcome.stdout, "");
    snapbox::assert_data_eq!(
        outcome.read("p/kernels/gemv.rs"),
        str![[r#"
use crate::prelude::*;

kernel! {
    /// Say here what `gemv` does.
    ///
    /// a: say here what it is
    /// x: say here what it is
    /// k: say here what it is
    /// up: say here what it is
    /// y: say here what it is
    /// out: say here what it is
    gemv<T: f32 | f64>(
        a: &T[m, n],
        x: &T[n],
        *,
        k: usize = 2,
        up: bool = true,
    ) -> (y: T[m], _y2: T[k / 2])
    // An element, which is zero in this stub: write it here, and in the test.
    each y[i] { T::default() }
    each _y2[i] { T::default() }
}

"#]]
    );
    let test = outcome.read("p/tests/test_gemv.py");
    assert!(
        test.contains("def expected(a, x, *, k=2, up=True):\n"),
        "{test}"
    );
    assert!(test.contains("    y, y2 = gemv(a, x)\n"), "{test}");
}

/// As `ci/package/test_add.py` compiles, runs and lints it.
#[test]
fn what_declarations_give() {
    let shapes = [
        vec!["gemv", "(m,n),(n)->(m)", "--dtypes", "f32,f64"],
        vec!["total", "(n)->()"],
        vec!["x", "(a)->(a)"],
        vec![
            "choose",
            "(...),(...),(...)->(...)",
            "--dtypes",
            "i32,bool,complex64,f16",
        ],
    ];
    let declarations = include_str!("add/declarations.txt").lines();
    let lines: Vec<_> = shapes
        .into_iter()
        .chain(declarations.map(|it| vec![it]))
        .collect();
    for (kernels, ending) in [("cu", "cu"), ("rust", "rs")] {
        let mut outcome = package(kernels);
        let mut written = String::new();
        for line in &lines {
            outcome = add(outcome, &[line, &["--quiet"][..]].concat()).success();
            let name = line[0].split(['<', '(']).next().unwrap();
            for path in [
                format!("kernels/{name}.{ending}"),
                format!("tests/test_{name}.py"),
            ] {
                written += &format!("==== {path}\n{}\n", outcome.read(&format!("p/{path}")));
            }
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/add/{kernels}.txt"));
        snapbox::assert_data_eq!(written, Data::read_from(&path, Some(DataFormat::Text)));
    }
}

#[test]
fn what_exists_is_not_touched() {
    refused(
        &["axpy", "(n)->(n)"],
        str![[r#"
error: `NAME` names a function that is there: `p/kernels/axpy.cu` exists
hint: choose another name, or `--force` writes it anew

"#]],
    );
    let outcome = package("cu")
        .again("add")
        .file("p/tests/test_fresh.py", "mine");
    let outcome = outcome.args(["fresh", "(n)->(n)", "--package", "p"]).run();
    assert_eq!(outcome.read("p/tests/test_fresh.py"), "mine");
    assert!(!outcome.path("p/kernels/fresh.cu").exists());
    assert_eq!(outcome.code, 2);
    let force = ["fresh", "(n)->(n)", "--package", "p", "--force"];
    let outcome = outcome.again("add").args(force).run().success();
    assert!(
        outcome
            .read("p/tests/test_fresh.py")
            .contains("def test_fresh(")
    );
    assert!(outcome.path("p/kernels/fresh.cu").exists());
}

#[test]
fn what_cannot_be_a_name() {
    for (name, reason) in [
        ("class", "`class` is a Python keyword"),
        ("match", "`match` is a Python keyword"),
        (
            "impl",
            "`impl` is a Rust keyword, which no crate may be called",
        ),
        ("template", "`template` is a C++ keyword"),
        ("cuvec", "the package has a module or a type of that name"),
        ("bitand", "`bitand` is a C++ keyword"),
        ("co_await", "`co_await` is a C++ keyword"),
        ("sum", "the code around it uses that name"),
        ("signature", "the code around it uses that name"),
        ("request", "the code around it uses that name"),
        ("setup_module", "the code around it uses that name"),
        ("testing", "pytest takes it for a test"),
        ("torch", "the package has a module or a type of that name"),
        ("jax", "the package has a module or a type of that name"),
        ("dask", "the package has a module or a type of that name"),
        (
            "overload",
            "the package has a module or a type of that name",
        ),
        (
            "size_t",
            "C, C++ or CUDA have a type or a macro of that name",
        ),
        ("tm", "C, C++ or CUDA have a type or a macro of that name"),
        (
            "float4",
            "C, C++ or CUDA have a type or a macro of that name",
        ),
        (
            "ulonglong4_16a",
            "C, C++ or CUDA have a type or a macro of that name",
        ),
        (
            "linux",
            "C, C++ or CUDA have a type or a macro of that name",
        ),
        (
            "Gemv",
            "it has uppercase letters, which some file systems lose; a class is written by hand, as the README of the runtime says",
        ),
        ("2d", "a name has letters, digits and `_`, a letter first"),
        ("a/b", "a name has letters, digits and `_`, a letter first"),
        ("_x", "a name has letters, digits and `_`, a letter first"),
        ("f".repeat(32).as_str(), "it has more than 31 letters"),
        ("f".repeat(40).as_str(), "it has more than 31 letters"),
    ] {
        refused(
            &["--", name, "(n)->(n)"],
            format!(
                "error: `NAME` `{name}` cannot be the name of a function: {reason}\nhint: choose another name\n"
            ),
        );
    }
}

#[test]
fn a_name_may_have_31_letters() {
    add(package("cu"), &[&"f".repeat(31), "(n)->(n)"]).success();
}

#[test]
fn a_wrong_signature_is_marked() {
    refused(
        &["f(x: float32(n)) -> y: float32(m)"],
        str![[r#"
error: wrong signature: `m` is not a dimension of any argument
  f(x: float32(n)) -> y: float32(m)
                      ^
hint: an argument gives it: `x: float64(m)`, or an integer: `m: int64`

"#]],
    );
    refused(
        &["f(x: flaot32(n)) -> float32"],
        str![[r#"
error: wrong signature: `flaot32` is no dtype
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

#[test]
fn sizes_that_are_calculated() {
    let declaration = "f(x: int8(n)) -> int8(n+0), int8(n*0)";
    add(package("cu"), &[declaration]).success();
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

/// The first line and the place of the mark.
#[track_caller]
fn fault(signature: &str, at: usize, problem: &str) {
    let outcome = add(package("cu"), &["--", signature]);
    let mark = format!("  {:at$}^", "");
    let start = format!("error: wrong signature: {problem}\n  {signature}\n{mark}\nhint: ");
    assert!(outcome.stderr.starts_with(&start), "{}", outcome.stderr);
    assert_eq!(outcome.code, 2);
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
        ("f(x: T(n)) -> float32", 5, "`T` is no dtype"),
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
            "`T` is the dtype of no array among the arguments",
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
            17,
            "`n` is a size and no integer",
        ),
        (
            "f(n: int8(m)) -> y: int8(n)",
            17,
            "`n` is an array and a size",
        ),
        (
            "f(x: int8(a,b,c,d,e,f2,g,h,j)) -> int8",
            2,
            "more than 8 axes",
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
            2,
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
            2,
            "`f` is a size and something else",
        ),
        (
            "f(x: int8(n)) -> n: int8(n)",
            2,
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
    let many: Vec<_> = (0..17).map(|it| format!("a{it}: int8")).collect();
    fault(
        &format!("f({}) -> int8", many.join(", ")),
        0,
        "more than 16 arguments and results",
    );
    let long = "a".repeat(32);
    for (what, at, declaration) in [
        ("an argument", 2, "f(LONG: int8(n)) -> int8"),
        ("a size", 2, "f(x: int8(LONG)) -> int8"),
        ("a result", 17, "f(x: int8(n)) -> LONG: int8"),
        ("a dtype variable", 2, "f<LONG: int8>(x: LONG(n)) -> int8"),
    ] {
        let problem = format!("`{long}` cannot be {what}: it has more than 31 letters");
        fault(&declaration.replace("LONG", &long), at, &problem);
    }
}

/// Behind `x: int8(n), `, and where the mark is there.
#[test]
fn faults_of_optional_arrays_options_and_tuples() {
    let long = "a".repeat(32);
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
        ("y: int8?", 7, "`?` where `,` or `)` is expected"),
        (
            "y: int8(k)?",
            0,
            "`k` is a dimension of optional arrays alone",
        ),
        ("a: int8 = None", 10, "`a` is no array, and cannot be None"),
        (
            "has_y: bool, y: int8(n)?",
            0,
            "`has_y` cannot be an argument: the code around it uses that name",
        ),
        ("a: {}", 4, "here a text in quotes is expected"),
        ("a: {b}", 4, "here a text in quotes is expected"),
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
            &format!("`{long}` cannot be a choice: it has more than 31 letters"),
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
        ("a: {'b'}, y: int8(a)", 10, "`a` is a size and no integer"),
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
        ("a: int8[n]", 8, "here a number is expected"),
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
        ("a: int8[2], y: int8(a)", 12, "`a` is a size and no integer"),
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
            "`T` is the dtype of no array among the arguments",
        ),
        (
            "f(x: int8(...)?, y: int8(n)) -> int8(...)",
            32,
            "the result has any shape, and no argument has one to take it from",
        ),
        ("f(x: int8(n)) -> int8[2]", 21, "unexpected `[`"),
        (
            "f<D: int8, int16>(x: int8(n), dtype: D = int32) -> D(n)",
            41,
            "`int32` is no dtype of `D`",
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
            39,
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

/// Names that a language which sees them has for something else, or cannot have.
#[test]
fn names_in_a_declaration() {
    let taken = "the code around it uses that name";
    for (signature, at, problem) in [
        (
            "f(None: int8(n)) -> int8",
            2,
            "`None` cannot be an argument: `None` is a Python keyword",
        ),
        (
            "f(x: int8(True)) -> int8",
            2,
            "`True` cannot be a size: `True` is a Python keyword",
        ),
        (
            "f<class: int8>(x: class(n)) -> int8",
            2,
            "`class` cannot be a dtype variable: `class` is a Python keyword",
        ),
        (
            "f(x: int8(n)) -> lambda: int8",
            17,
            "`lambda` cannot be a result: `lambda` is a Python keyword",
        ),
        (
            "f(NAN: int8(n)) -> int8",
            2,
            "`NAN` cannot be an argument: macros of C have such names",
        ),
        (
            "f(errno: int8(n)) -> int8",
            2,
            "`errno` cannot be an argument: macros of C have such names",
        ),
        (
            "f(In: int8(n)) -> int8",
            2,
            &format!("`In` cannot be an argument: {taken}"),
        ),
        (
            "f(int64: int8(n)) -> int8",
            2,
            &format!("`int64` cannot be an argument: {taken}"),
        ),
        (
            "f<Call: int8>(x: Call(n)) -> int8",
            2,
            &format!("`Call` cannot be a dtype variable: {taken}"),
        ),
        (
            "f(f_y: int8(n)) -> int8",
            2,
            &format!("`f_y` cannot be an argument: {taken}"),
        ),
        (
            "f(x: int8(n)) -> z: int8, f_z_kernel: int8",
            26,
            &format!("`f_z_kernel` cannot be a result: {taken}"),
        ),
        ("f<int8: int16>(x: int8(n)) -> int8", 2, "`int8` is a dtype"),
        ("f<f32: int16>(x: f32(n)) -> int8", 2, "`f32` is a dtype"),
        (
            "f<T: int8, t: int8>(x: T(n), y: t(n)) -> int8",
            11,
            "`t` differs from another variable in its case alone",
        ),
    ] {
        fault(signature, at, problem);
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
        70,
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

#[test]
fn names_of_modules_of_the_package() {
    let outcome = package("cu");
    write(&outcome.path("p/python/mypkg/mine.py"), "");
    let outcome = add(outcome, &["mine", "(n)->(n)"]);
    outcome.failure(
        2,
        str![[r#"
error: `NAME` names a module that is there: `p/python/mypkg/mine.py` exists
hint: choose another name, or remove the file

"#]],
    );
}

#[test]
fn options_that_do_not_go_together() {
    for (arguments, stderr) in [
        (
            &["f"][..],
            "error: `SIGNATURE` is missing\nhint: such as `cuvec-new add f '(m,n),(n)->(m)'`\n",
        ),
        (
            &["f(x: int8(n)) -> int8", "--dtypes", "f32"],
            "error: `--dtypes` is for a signature without dtypes\nhint: write them there: `<T: float32, float64>`\n",
        ),
        (
            &["g", "f(x: int8(n)) -> int8"],
            "error: `NAME` is `g`, and the declaration is of `f`\nhint: leave it out: the declaration has the name\n",
        ),
        (
            &["f", "(n)->(n)", "--dtypes", "f32,flaot64"],
            "error: `--dtypes` is wrong: `flaot64` is no dtype\nhint: did you mean `float64`?\n",
        ),
        (
            &["f", "(n)->(n)", "--dtypes", "f32,float32"],
            "error: `--dtypes` has `float32` twice\nhint: remove one of them\n",
        ),
    ] {
        refused(arguments, stderr.to_owned());
    }
}

#[test]
fn where_there_is_no_package() {
    let add = |files: &[(&str, &str)]| {
        let project = Project::bare().args(["add", "f", "(n)->(n)"]);
        let project = files
            .iter()
            .fold(project, |it, (path, text)| it.file(path, text));
        let outcome = project.run();
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
        outcome.stderr
    };
    let hint = "hint: start it in the folder of a package, or give `--package DIR`\n";
    assert_eq!(
        add(&[]),
        format!("error: `.` is no package of cuvec-new: it has no `.cuvec-new.toml`\n{hint}")
    );
    let broken = add(&[(".cuvec-new.toml", "[answers]\nx = \"y\"")]);
    assert!(
        broken.starts_with("error: `--package` has a broken `.cuvec-new.toml`: "),
        "{broken}"
    );
    let foreign = "[answers]\nname = \"mine\"\nkernels = \"opencl\"";
    let foreign = add(&[(".cuvec-new.toml", foreign)]);
    assert!(
        foreign.contains("unknown kernel language `opencl`"),
        "{foreign}"
    );
}

/// The record says which language a package is for; `--kernels` takes the other one.
#[test]
fn a_package_may_have_both_languages() {
    for (kernels, other, ending, own_ending, needs) in [
        ("cu", "rust", "rs", "cu", "rustup toolchain install nightly"),
        (
            "rust",
            "cu",
            "cu",
            "rs",
            "build.requires = [\"cuda-toolkit[nvcc,cccl]==13.0.*\"]",
        ),
    ] {
        let outcome = add(package(kernels), &["f", "(n)->(n)", "--kernels", other]).success();
        assert!(outcome.path(&format!("p/kernels/f.{ending}")).exists());
        assert!(outcome.stdout.contains(needs), "{}", outcome.stdout);
        // Once is enough.
        let outcome = add(outcome, &["g", "(n)->(n)", "--kernels", other]).success();
        assert!(!outcome.stdout.contains(needs), "{}", outcome.stdout);
        let outcome = add(outcome, &["h", "(n)->(n)", "--kernels", kernels]).success();
        assert!(outcome.path(&format!("p/kernels/h.{own_ending}")).exists());
        let expected = format!(
            "error: `NAME` names a function that is there: `p/kernels/f.{ending}` exists\n\
             hint: choose another name, or remove the file\n"
        );
        // Two functions of one name are no package, whatever is forced.
        add(outcome, &["f", "(n)->(n)", "--force"]).failure(2, expected);
    }
    let outcome = add(package("cu"), &["f", "(n)->(n)", "--kernels", "opencl"]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("kernel languages are `cu`, `rust`"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn the_language_needs_no_runtime_to_be_known() {
    let record = "[answers]\nname = \"mine\"\nkernels = \"rust\"\n";
    let project = Project::bare().args(["add", "f", "(n)->(n)"]);
    let outcome = project.file(".cuvec-new.toml", record).run().success();
    assert!(outcome.path("kernels/f.rs").exists());
    let outcome = Project::bare().args(["add", "f", "(n)->(n)"]);
    let record = "[answers]\nname = \"mine\"\n";
    let outcome = outcome.file(".cuvec-new.toml", record).run().success();
    assert!(outcome.path("kernels/f.cu").exists());
}
