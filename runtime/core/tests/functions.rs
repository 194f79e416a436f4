//! Calls of functions in CUDA C++ that are built for the CPU, without Python.
//!
//! It needs CMake, on the PATH or named by `CMAKE`, and is skipped without it.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::{env, fs, io};

use cuvec_core::error::Kind;
use cuvec_core::functions::{self, Dtypes, Function, Scalar, ScalarResult};
use cuvec_core::{Array, DType, Place, Result, library};
use cuvec_spec::{MAX_ARGUMENTS, Role};

/// The functions, once they are built and loaded; none without CMake.
fn loaded() -> Option<&'static [Function]> {
    static LOADED: LazyLock<Option<&[Function]>> = LazyLock::new(|| {
        let program = env::var_os("CMAKE").unwrap_or_else(|| "cmake".into());
        let mut version = Command::new(&program);
        let found = version.arg("--version").stdout(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            let why = b"skipped: there is no CMake; put it on the PATH or name it with CMAKE\n";
            io::stderr().write_all(why).unwrap(); // output of `eprintln` is not shown
            return None;
        }
        // SAFETY: the build has made the library of the functions.
        unsafe { library::load(&build()) }.unwrap();
        Some(functions::all().unwrap())
    });
    *LOADED
}

/// Builds the library of some functions.
fn build() -> PathBuf {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("functions");
    let kernels = folder.join("kernels");
    fs::create_dir_all(&kernels).unwrap();
    for file in [
        "../tests/conformance/kernels/cu/axpy.cu",
        "../tests/conformance/kernels/cu/dot.cu",
        "core/tests/kernels/tally.cu",
        "core/tests/kernels/wide.cu",
        "core/tests/kernels/cover.cu",
    ] {
        let from = runtime.join(file);
        let to = kernels.join(from.file_name().unwrap());
        if fs::read(&from).unwrap() != fs::read(&to).unwrap_or_default() {
            fs::copy(from, to).unwrap(); // else nothing is to be compiled
        }
    }
    let system = match env::consts::OS {
        "linux" => "unknown-linux-gnu",
        "macos" => "apple-darwin",
        _ => "pc-windows-msvc",
    };
    let target = format!("{}-{system}", env::consts::ARCH); // as a build script is told
    let built = cmake::Config::new(runtime)
        .out_dir(&folder)
        .profile("Release")
        .host(&target)
        .target(&target)
        .define("CUDA", "OFF")
        .define("KERNELS", &kernels)
        .build_target("cuvec_functions")
        .build();
    let extension = if cfg!(windows) { "dll" } else { "so" };
    built
        .join("build")
        .join("_functions")
        .with_extension(extension)
}

fn array<T>(elements: &[T], dtype: DType) -> Array {
    Array {
        address: elements.as_ptr() as usize,
        dtype,
        shape: [elements.len()][..].into(),
        strides: None,
        writable: true,
        place: Place::Host,
        ready: None,
    }
}

/// Calls a function with arrays and scalars in the order of its parameters.
fn call(name: &str, arrays: &[Array], scalars: &[Scalar]) -> Option<Result<Vec<ScalarResult>>> {
    let function = loaded()?.iter().find(|it| it.spec.name == name).unwrap();
    let (mut arrays, mut scalars) = (arrays.iter(), scalars.iter());
    let mut given_arrays = [None; MAX_ARGUMENTS];
    let mut given_scalars = [Scalar::default(); MAX_ARGUMENTS];
    for (index, parameter) in function.spec.parameters().iter().enumerate() {
        match parameter.role {
            Role::Scalar => given_scalars[index] = *scalars.next().unwrap(),
            _ => given_arrays[index] = arrays.next(),
        }
    }
    let mut dtypes = Dtypes::default();
    let mut run = || {
        function.dtypes(&given_arrays, &mut dtypes)?;
        let plan = function.plan(&given_arrays, &given_scalars, dtypes)?;
        Ok(plan.run(&given_arrays, &given_scalars, None)?.into_vec())
    };
    Some(run())
}

fn size(size: i64) -> Scalar {
    Scalar::integer(size.into(), DType::I64).unwrap()
}

#[test]
fn axpy_adds_in_place() {
    let (x, y) = ([1.0_f32, 2.0, 3.0], [const { Cell::new(10.0_f32) }; 3]);
    let a = Scalar::real(2.0, DType::F32).unwrap();
    let arrays = [array(&x, DType::F32), array(&y, DType::F32)];
    if let Some(called) = call("axpy", &arrays, &[a]) {
        assert_eq!(called, Ok(vec![]));
        assert_eq!(y.map(Cell::into_inner), [12.0, 14.0, 16.0]);
    }
}

#[test]
fn dot_returns_a_scalar() {
    let x: Vec<f64> = (0..100_000).map(f64::from).collect();
    let ones = vec![1.0_f64; x.len()];
    let arrays = [array(&x, DType::F64), array(&ones, DType::F64)];
    if let Some(called) = call("dot", &arrays, &[]) {
        let [sum] = called.unwrap()[..] else {
            panic!("one result");
        };
        assert_eq!(sum.value.as_real(sum.dtype), 4_999_950_000.0);
    }
}

#[test]
fn sizes_of_scratch_memory_do_not_overflow() {
    let x = vec![1.0_f64; 10_000];
    let x = array(&x, DType::F64);
    let tally = |rows, columns| {
        let called = call(
            "tally",
            std::slice::from_ref(&x),
            &[size(rows), size(columns)],
        )?;
        Some(called.map(|results| results[0].value.as_real(DType::F64)))
    };
    let Some(sum) = tally(100, 100) else { return };
    assert_eq!(sum, Ok(10_000.0));
    // 2^61 elements of eight bytes would be none at all.
    for (rows, columns) in [
        (1 << 61, 1),
        (1 << 32, 1 << 32),
        (1 << 31, 1 << 30),
        (i64::MAX, 2),
    ] {
        let error = tally(rows, columns).unwrap().unwrap_err();
        let is_memory = matches!(error.kind(), Kind::Scratch(_));
        assert!(is_memory, "{rows} x {columns}: {error:?}");
    }
    let error = tally(-1, 1).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "tally(): a size of memory cannot be -1");
}

/// The result of a function of two sizes; none without CMake.
fn of_sizes(name: &str, sizes: [i64; 2]) -> Option<Result<i128>> {
    let called = call(name, &[], &sizes.map(size))?;
    Some(called.map(|results| results[0].value.as_integer(DType::I64)))
}

#[test]
fn launches_are_not_truncated() {
    let Some(most) = of_sizes("wide", [0x7fff_ffff, 1024]) else {
        return;
    };
    assert_eq!(most, Ok(0x7fff_ffff * 1024));
    for sizes in [
        [-1, 1],
        [0x8000_0000, 1],
        [(1 << 32) + 1, 1],
        [1, 0],
        [1, -1],
        [1, 1025],
        [1, (1 << 32) + 1],
    ] {
        let error = of_sizes("wide", sizes).unwrap().unwrap_err();
        assert!(
            matches!(error.kind(), Kind::Value(_)),
            "{sizes:?}: {error:?}"
        );
    }
}

#[test]
fn launches_cover_all_elements() {
    for ([n, threads], blocks) in [
        ([0, 256], 1),
        ([-5, 256], 1),
        ([1, 256], 1),
        ([256, 256], 1),
        ([257, 256], 2),
        ([i64::MAX, 256], 0x7fff_ffff), // as many as there may be
        ([i64::MIN, 256], 1),
    ] {
        let Some(covered) = of_sizes("cover", [n, threads]) else {
            return;
        };
        assert_eq!(covered, Ok(blocks), "{n} by {threads}");
    }
    for threads in [0, -1, 1025, (1 << 32) + 256] {
        let error = of_sizes("cover", [1000, threads]).unwrap().unwrap_err();
        assert!(
            matches!(error.kind(), Kind::Value(_)),
            "{threads}: {error:?}"
        );
    }
}

#[test]
fn errors_of_the_stub_are_text() {
    let mut stub = Command::new(env!("CARGO_BIN_EXE_cuvec-stub"));
    let ended = stub
        .args(["no-such-library", "no-such-stub"])
        .output()
        .unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success());
    assert!(
        said.starts_with("cannot load the functions of the package: "),
        "{said}"
    );
}
