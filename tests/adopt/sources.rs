//! Sources that are deep, long or endless, and names of files that mean something to CMake.

use std::fs;
use std::process::Command;

use snapbox::str;

use super::{NORM, adopt};
use crate::project::files;

#[test]
fn sources_that_nobody_writes_are_refused() {
    let head = "void f(const int *x, int *y, int n) {";
    let deep = |start: &str, middle: &str, end: &str| {
        format!(
            "{head} y[0] = {}{middle}{}; }}\n",
            start.repeat(20_000),
            end.repeat(20_000)
        )
    };
    let braces = format!("{head}{}{}}}\n", "{".repeat(20_000), "}".repeat(20_000));
    for source in [
        braces,
        deep("(", "x[0]", ")"),
        deep("- ", "x[0]", ""),
        deep("x[0] + ", "x[0]", ""),
        deep("x[", "0", "]"),
        "#if 1\n".repeat(20_000) + head + "}\n" + &"#endif\n".repeat(20_000),
    ] {
        let outcome = adopt(&[("lib/f.cpp", &source)], &["p/lib/f.cpp"]);
        outcome.failure(
            2,
            str![[r#"
error: `lib/f.cpp` nests more than 1000 levels deep
hint: give files of C, C++ and CUDA

"#]],
        );
    }
    let many = |it: usize| format!("void f{it}(int n) {{}}\n");
    let source: String = (0..1001).map(many).collect();
    let outcome = adopt(&[("lib/f.cpp", &source)], &["p/lib/f.cpp"]);
    outcome.failure(
        2,
        str![[r#"
error: `lib/f.cpp` defines 1001 functions
hint: name 1000 at most: `--only NAMES`

"#]],
    );
}

#[test]
fn a_long_name_and_many_launches_are_read() {
    let name = "f".repeat(70_000);
    let source =
        format!("void {name}(float *x, int n) {{ for (int i = 0; i < n; i++) x[i] = 0; }}\n");
    adopt(&[("lib/f.cpp", &source)], &["p/lib/f.cpp", "-q"]).success();
    let launches = "k<<<1, 1>>>(x);\n".repeat(5_000);
    let source = format!("__global__ void k(float *x) {{}}\nvoid g(float *x) {{ {launches} }}\n");
    let outcome = adopt(&[("lib/f.cu", &source)], &["p/lib/f.cu", "--only", "k"]).success();
    assert!(
        outcome.stdout.contains("and 4999 more"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn names_of_files_are_quoted_or_refused() {
    let source = [("my lib/a b.cpp", NORM), ("my lib/x.h", "")];
    let arguments = ["p/my lib/a b.cpp", "-q", "--include", "p/my lib"];
    let outcome = adopt(&source, &arguments).success();
    let line = "\nkernel_sources(\"my lib/a b.cpp\" INCLUDE \"my lib\" SYSTEM)\n";
    let cmake = outcome.read("p/CMakeLists.txt");
    assert!(cmake.contains(line), "{cmake}");
    let again = outcome.again("adopt").args(["--package", "p", "--force"]);
    let outcome = again.args(arguments).run().success();
    assert_eq!(outcome.read("p/CMakeLists.txt"), cmake);
    for letter in [')', '(', ';', '"', '#', '$', '*', '[', '\\', '\n'] {
        let path = format!("lib/a{letter}b.cpp");
        let outcome = adopt(&[(&path, NORM)], &[&format!("p/{path}")]);
        assert_eq!(outcome.code, 2, "{letter:?}: {}", outcome.stdout);
        let problem = format!(
            " has {letter:?} in its name, which CMake or a compiler takes for something else\n"
        );
        assert!(outcome.stderr.contains(&problem), "{}", outcome.stderr);
        assert_eq!(files(&outcome.path("p/kernels")), ["axpy.cu", "dot.cu"]);
    }
}

/// A file of /proc has no length, and need not have an end.
#[test]
#[cfg(target_os = "linux")]
fn an_endless_header_is_not_read_to_its_end() {
    let source = format!("#include \"/proc/self/pagemap\"\n{NORM}");
    let outcome = adopt(&[("lib/norm.cpp", &source)], &["p/lib/norm.cpp"]);
    let problem = "\"/proc/self/pagemap\" cannot be read: it has more than 16 MiB";
    assert!(outcome.stderr.contains(problem), "{}", outcome.stderr);
}

/// `add` reads the kernels that are there.
#[test]
#[cfg(unix)]
fn kernels_that_are_no_files_are_not_waited_for() {
    let outcome = adopt(&[], &["p/none"]);
    let kernels = outcome.path("p/kernels");
    let pipe = Command::new("mkfifo")
        .arg(kernels.join("pipe.cuh"))
        .status();
    assert!(pipe.unwrap().success());
    let add = |outcome: crate::project::Outcome| {
        outcome
            .again("add")
            .args(["f", "(n)->(n)", "--package", "p"])
            .run()
    };
    let outcome = add(outcome).failure(
        1,
        str![[r#"
error: failed to read `p/kernels/pipe.cuh`: it is not a regular file

"#]],
    );
    fs::remove_file(kernels.join("pipe.cuh")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", kernels.join("zero.cu")).unwrap();
    let outcome = add(outcome);
    assert!(
        outcome
            .stderr
            .contains("zero.cu`: it is not a regular file"),
        "{}",
        outcome.stderr
    );
    fs::remove_file(kernels.join("zero.cu")).unwrap();
    std::os::unix::fs::symlink("nowhere", kernels.join(".#axpy.cu")).unwrap(); // of an editor
    add(outcome).success();
}
