//! Lists the files of the folder `kernels`: a module for each, and the table of their functions.
//!
//! `KERNELS` is the folder; without it, that of the package.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=KERNELS");
    let of_package = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../kernels");
    let folder = env::var_os("KERNELS").map_or_else(of_package, PathBuf::from);
    let folder = folder.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    println!("cargo::rerun-if-changed={}", folder.display()); // files come and go
    let list = list_of(&folder);
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("functions.rs");
    if fs::read_to_string(&out).ok().as_deref() != Some(&list) {
        fs::write(out, list).expect("cargo's folder can be written");
    }
}

fn list_of(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    let (mut modules, mut rows) = (String::new(), String::new());
    for name in names {
        let path = folder.join(format!("{name}.rs"));
        writeln!(modules, "#[path = {path:?}]\npub mod {name};").expect("strings grow");
        writeln!(modules, "const _: () = assert!(crate::row::same({name}::NAME, {name:?}), \"kernels/{name}.rs declares a function of another name\");").expect("strings grow");
        writeln!(rows, "    &{name}::FUNCTION,").expect("strings grow");
    }
    format!("{modules}\n/// The functions of the package.\npub static ALL: &[&crate::row::Spec] = &[\n{rows}];\n")
}
