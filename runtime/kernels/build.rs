//! Lists the files of the folder `kernels`, and finds the image of the kernels.
//!
//! `KERNELS` is the folder; without it, that of the package. CMake names a file with directives for
//! cargo in `KERNELS_FOR_CARGO`. Without CMake, as in `cargo test`, `CMakeLists.txt` is built here;
//! where that cannot be, the kernels are left out with a warning, and the crate works on the CPU.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(kernels)");
    for variable in ["KERNELS", "KERNELS_FOR_CARGO"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let of_package = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../kernels");
    let folder = env::var_os("KERNELS").map_or_else(of_package, PathBuf::from);
    let folder =
        fs::canonicalize(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    println!("cargo::rerun-if-changed={}", folder.display()); // files come and go
    write(&list_of(&folder));
    let directives = match env::var_os("KERNELS_FOR_CARGO") {
        Some(path) => Some(PathBuf::from(path)),
        None => compile(&folder),
    };
    let Some(directives) = directives else { return };
    println!("cargo::rerun-if-changed={}", directives.display());
    match fs::read_to_string(&directives) {
        Ok(directives) => print!("{directives}"),
        Err(error) => panic!("failed to read {}: {error}", directives.display()),
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
        format!("const _: () = assert!(crate::row::same({name}::NAME, {name:?}), {message:?});\n")
    });
    let specs = for_each(&|name| format!("    &{name}::FUNCTION,\n"));
    let plans = for_each(&|name| format!("    &{name}::PLANS,\n"));
    format!(
        "{modules}{checks}\n/// The functions of the package.\npub static ALL: &[&crate::row::Spec] = &[\n{specs}];\n\n\
         /// How they run.\npub static PLANS: &[&[crate::plan::Runs]] = &[\n{plans}];\n"
    )
}

fn write(list: &str) {
    let path = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("functions.rs");
    if fs::read_to_string(&path).ok().as_deref() != Some(list) {
        fs::write(&path, list).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Makes the image, and says where it is.
fn compile(folder: &Path) -> Option<PathBuf> {
    for source in ["src", "CMakeLists.txt", "../../cmake"] {
        println!("cargo::rerun-if-changed={source}");
    }
    for variable in ["KERNELS_RUSTC", "KERNELS_CHECKED", "CMAKE"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if !cmake_is_there() {
        println!("cargo::warning=no cmake found: built without kernels, for the CPU only");
        println!(
            "cargo::warning=to build them: pip install --group build, in an activated environment"
        );
        return None;
    }
    let built = cmake::Config::new(".")
        .define("KERNELS", folder)
        .profile("Release")
        .build_target("kernels")
        .build();
    Some(built.join("build/kernels.txt"))
}

fn cmake_is_there() -> bool {
    Command::new(env::var_os("CMAKE").unwrap_or("cmake".into()))
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
