//! Names that a language has for something else, or cannot have.

use snapbox::str;

use super::{add, fault, package, refused};
use crate::project::write;

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
        ("f".repeat(64).as_str(), "it has more than 63 letters"),
        ("f".repeat(80).as_str(), "it has more than 63 letters"),
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
            10,
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
            "f(y_element: int8(n)) -> int8",
            2,
            &format!("`y_element` cannot be an argument: {taken}"),
        ),
        (
            "f(x: int8(n)) -> z: int8(n,n), z_element: int8",
            31,
            &format!("`z_element` cannot be a result: {taken}"),
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
fn names_of_modules_of_the_package() {
    let outcome = package("cu");
    write(&outcome.path("p/python/mypkg/mine.py"), "");
    let outcome = add(outcome, &["mine", "(n)->(n)"]);
    outcome.failure(
        1,
        str![[r#"
error: module `mine` already exists: `p/python/mypkg/mine.py`
hint: choose another name, or remove the file

"#]],
    );
}
