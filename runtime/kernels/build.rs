//! Lists the files of the folder of kernels, and says where the image of the kernels is.
//!
//! `KERNELS` is the folder, without it that of the runtime's tests; `KERNELS_IMAGE` is the PTX of its
//! kernels, without it the folder's `kernels.ptx`. `KERNELS_IMAGE=none` builds for the CPU alone.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(image)");
    for variable in ["KERNELS", "KERNELS_IMAGE"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let of_tests = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels/rust");
    let folder = env::var_os("KERNELS").map_or_else(of_tests, PathBuf::from);
    let folder =
        fs::canonicalize(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    println!("cargo::rerun-if-changed={}", folder.display()); // files come and go
    write(&list_of(&folder));
    let shipped = || folder.join("kernels.ptx");
    let image = env::var_os("KERNELS_IMAGE").map_or_else(shipped, PathBuf::from);
    if image.as_os_str() != "none" {
        println!("cargo::rerun-if-changed={}", image.display());
        println!("cargo::rustc-env=KERNELS_IMAGE={}", image.display());
        println!("cargo::rustc-cfg=image");
    }
}

/// The modules of the files, and the tables of what they declare. What they share is in `lib.rs`.
fn list_of(folder: &Path) -> String {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    let modules: String = names
        .iter()
        .map(|name| {
            let path = folder.join(format!("{name}.rs"));
            format!("#[path = {path:?}]\npub mod {name};\n")
        })
        .collect();
    names.retain(|name| name != "lib");
    let for_each =
        |text: &dyn Fn(&str) -> String| names.iter().map(|name| text(name)).collect::<String>();
    let checks = for_each(&|name| {
        let message = format!("kernels/{name}.rs must declare a function of that name");
        format!("const _: () = assert!(crate::row::same({name}::__NAME, {name:?}), {message:?});\n")
    });
    let specs = for_each(&|name| format!("    &{name}::FUNCTION,\n"));
    let plans = for_each(&|name| format!("    &{name}::__PLANS,\n"));
    let methods = for_each(&|name| format!("    {name}::__METHODS,\n"));
    format!(
        "{modules}{checks}\n/// The functions of the package.\npub static ALL: &[&crate::row::Spec] = &[\n{specs}];\n\n\
         /// How they run.\npub static PLANS: &[&[crate::plan::Runs]] = &[\n{plans}];\n\n\
         /// How the methods of classes among them run.\npub static METHODS: &[&[&[crate::plan::Runs]]] = &[\n{methods}];\n"
    )
}

fn write(list: &str) {
    let path = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("functions.rs");
    if fs::read_to_string(&path).ok().as_deref() != Some(list) {
        fs::write(&path, list).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
