//! The package that a function is added to.

use snapbox::str;

use super::{add, fails, package, refused};
use crate::project::Project;

#[test]
fn what_exists_is_not_touched() {
    fails(
        1,
        &["axpy", "(n)->(n)"],
        str![[r#"
error: function `axpy` already exists: `p/kernels/axpy.cu`
hint: choose another name, or `--force` writes it anew

"#]],
    );
    let outcome = package("cu")
        .again("add")
        .file("p/tests/test_fresh.py", "mine");
    let outcome = outcome.args(["fresh", "(n)->(n)", "--package", "p"]).run();
    assert_eq!(outcome.read("p/tests/test_fresh.py"), "mine");
    assert!(!outcome.path("p/kernels/fresh.cu").exists());
    assert_eq!(outcome.code, 1);
    let force = ["fresh", "(n)->(n)", "--package", "p", "--force"];
    let outcome = outcome.again("add").args(force).run().success();
    let overwritten = "overwritten:\n  tests/test_fresh.py\nnext:\n";
    assert!(outcome.stdout.contains(overwritten), "{}", outcome.stdout);
    assert!(
        outcome
            .read("p/tests/test_fresh.py")
            .contains("def test_fresh(")
    );
    assert!(outcome.path("p/kernels/fresh.cu").exists());
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
            "error: `--dtypes` is wrong: `flaot64` is not a dtype\nhint: did you mean `float64`?\n",
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
    for (kernels, other, ending, own_ending) in
        [("cu", "rust", "rs", "cu"), ("rust", "cu", "cu", "rs")]
    {
        let outcome = add(package(kernels), &["f", "(n)->(n)", "--kernels", other]).success();
        assert!(outcome.path(&format!("p/kernels/f.{ending}")).exists());
        let outcome = add(outcome, &["h", "(n)->(n)", "--kernels", kernels]).success();
        assert!(outcome.path(&format!("p/kernels/h.{own_ending}")).exists());
        let expected = format!(
            "error: function `f` already exists: `p/kernels/f.{ending}`\n\
             hint: choose another name, or remove the file\n"
        );
        // Two functions of one name are no package, whatever is forced.
        add(outcome, &["f", "(n)->(n)", "--force"]).failure(1, expected);
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
fn what_a_package_for_rust_needs_for_nvcc_is_said_once() {
    let nvcc = "build.requires = [\"cuda-toolkit[nvcc,cccl]==13.0.*\"]";
    let outcome = add(package("rust"), &["f", "(n)->(n)", "--kernels", "cu"]).success();
    assert!(outcome.stdout.contains(nvcc), "{}", outcome.stdout);
    let outcome = add(outcome, &["g", "(n)->(n)", "--kernels", "cu"]).success();
    assert!(!outcome.stdout.contains(nvcc), "{}", outcome.stdout);
}

#[test]
#[cfg(unix)]
fn a_compiler_of_kernels_in_rust_is_asked_for_where_there_is_none() {
    use std::os::unix::fs::PermissionsExt;
    let install = "  rustup component add rust-src\n";
    for kernels in ["cu", "rust"] {
        let arguments = ["f", "(n)->(n)", "--kernels", "rust"];
        let outcome = add(package(kernels), &arguments).success();
        assert!(outcome.stdout.contains(install), "{}", outcome.stdout);
        let project = outcome
            .again("add")
            .file("rustc", "#!/bin/sh\ndirname \"$0\"\n")
            .file("lib/rustlib/src/rust/library/core/src/lib.rs", "");
        let rustc = project.path("rustc");
        std::fs::set_permissions(&rustc, std::fs::Permissions::from_mode(0o755)).unwrap();
        let project = project.env("KERNELS_RUSTC", rustc);
        let outcome = project.args(["g", "(n)->(n)", "--kernels", "rust", "--package", "p"]);
        let outcome = outcome.run().success();
        assert!(!outcome.stdout.contains(install), "{}", outcome.stdout);
    }
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
