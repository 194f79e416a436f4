//! Functions and kernels that are written, in both languages.

use std::path::Path;

use snapbox::data::DataFormat;
use snapbox::{Data, str};

use super::{add, package, refused};
use crate::project::files;

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
  write what it computes in kernels/gemv.cu, and the same in NumPy in `expected` of tests/test_gemv.py
  pip install . pytest && pytest tests/test_gemv.py

"#]]
    );
    let mut after = files(&outcome.path("p"));
    after.retain(|path| !before.contains(path));
    assert_eq!(after, ["kernels/gemv.cu", "tests/test_gemv.py"]);
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
fn a_dtype_of_optional_arrays() {
    let signature = "mark<P: int32, int64>(x: float64(n), y: out P(n)? = None, *, a: P = 0)";
    let test = add(package("cu"), &[signature])
        .success()
        .read("p/tests/test_mark.py");
    let expected = "expected = None if y is None else np.zeros((n,), dtype)\n";
    assert!(test.contains(expected), "{test}");
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

/// Whatever the kernel language, and with what else Rust's notation has.
#[test]
fn a_declaration_may_be_written_as_in_rust() {
    let in_cuda = "f<T: float32, float64, D: float32, float16>(x: T(...,n) rows, y: inout T(n)?, w: out T(2*n-1), \
                   bins: int64, *, mode: {'relu', 'silu'} = 'relu', by: int64[2] = (1, 2), up: bool = False, \
                   dtype: D = float16) -> z: D(n), index: int64(at most n)";
    let in_rust = "f<T: f32 | f64, D: f32 | f16>(x: &T[..., n] rows, y: Option<&mut T[n]>, w: &out T[2 * n - 1], \
                   bins: usize, *, mode: {relu, silu} = relu, by: [i64; 2] = [1, 2], up: bool = false, \
                   dtype: D = f16,) -> (z: D[n], index: i64[at most n])";
    for (kernels, file) in [("cu", "p/kernels/f.cu"), ("rust", "p/kernels/f.rs")] {
        let outcome = add(package(kernels), &[in_cuda]).success();
        let expected = outcome.read(file);
        let outcome = add(outcome, &[in_rust, "--force"]).success();
        assert_eq!(outcome.read(file), expected);
    }
}

/// Scalars that are sizes: in the order in which all extents are sizes, and the same number if there is none.
#[test]
fn sizes_of_a_test_differ_where_shapes_permit() {
    let mut outcome = package("cu");
    for (declaration, values) in [
        (
            "f(a: float32, m: int64, n: int64, b: float32, c: float32, d: float32) -> y: float32(m,n)",
            "a = 2, m = 5, n = 6, b = 3, c = 4, d = 7",
        ),
        ("g(m: int64, n: int64) -> y: float32(m-n)", "m = 6, n = 5"),
        (
            "h(m: int64, n: int64, *, k: int64 = 3) -> y: float32(m-n), z: float32(n-m), w: float32(k)",
            "m = 5, n = 5",
        ),
        (
            "s(x: float32(n), m: int64, k: int64) -> y: float32(n-m-k)",
            "m = 5, k = 6",
        ),
    ] {
        outcome = add(outcome, &[declaration]).success();
        let name = &declaration[..1];
        let test = outcome.read(&format!("p/tests/test_{name}.py"));
        for line in values.split(", ") {
            let line = format!("\n    {line}\n");
            assert!(test.contains(&line), "{line}: {test}");
        }
    }
}

/// A test in which two arguments are swapped must not pass.
#[test]
fn scalars_of_a_test_differ() {
    let declaration = "blend<T: float32>(a: T, b: T, n: int64, up: bool, c: int32[2], d: T, e: T, x: T(n)) -> T(n)";
    let outcome = add(package("cu"), &[declaration, "--quiet"]).success();
    let test = outcome.read("p/tests/test_blend.py");
    for line in [
        "a = 2",
        "b = 3",
        "n = 5",
        "up = True",
        "c = (4,) * 2",
        "d = 6",
        "e = 7",
    ] {
        assert!(test.contains(&format!("    {line}\n")), "{line}: {test}");
    }
}

#[test]
fn arguments_without_names_are_called_in_order() {
    for (signature, call) in [
        ("(n)->(n)", "(x)"),
        ("(m,n),(n)->(m)", "(a, x)"),
        ("(...),(...)->(...)", "(a, b)"),
        ("(m,n),(n,k)->(m,k)", "(a, b)"),
        ("(n),(n),(n)->()", "(a, b, c)"),
        ("(a),(b)->(a,b)", "(c, d)"),
    ] {
        let outcome = add(package("cu"), &["f", signature, "--quiet"]).success();
        let test = outcome.read("p/tests/test_f.py");
        assert!(test.contains(&format!("f{call}\n")), "{signature}: {test}");
    }
}

/// Each kind of body once, in both languages; `ci/package/test_add.py` compiles, runs and lints many more.
#[test]
fn stubs_and_tests() {
    let declarations = include_str!("shown.txt").lines();
    let lines: Vec<_> = declarations.map(|it| vec![it]).collect();
    for (kernels, ending) in [("cu", "cu"), ("rust", "rs")] {
        let mut outcome = package(kernels);
        let (mut stubs, mut tests) = (String::new(), String::new());
        for line in &lines {
            outcome = add(outcome, &[line, &["--quiet"][..]].concat()).success();
            let name = line[0].split(['<', '(']).next().unwrap();
            let [kernel, test] = [
                format!("kernels/{name}.{ending}"),
                format!("tests/test_{name}.py"),
            ];
            stubs += &format!("==== {kernel}\n{}\n", outcome.read(&format!("p/{kernel}")));
            tests += &format!("==== {test}\n{}\n", outcome.read(&format!("p/{test}")));
        }
        for (name, written) in [(kernels, stubs), ("tests", tests)] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/add");
            let path = folder.join(format!("{name}.txt"));
            snapbox::assert_data_eq!(written, Data::read_from(&path, Some(DataFormat::Text)));
        }
    }
}

#[test]
fn sizes_that_are_calculated() {
    let declaration = "f(x: int8(n)) -> int8(n+0), int8(n*0)";
    add(package("cu"), &[declaration]).success();
}
