//! The build script of the crate of the kernels: lists its files, and says where their images are.
//!
//! `KERNELS` is the folder of the files, without it the crate's. `KERNELS_IMAGES` is the folder with the PTX of each
//! file, without it `ptx` of the crate, if all are there. `KERNELS_IMAGES=none` builds only for the CPU. For the GPU,
//! `KERNELS_FILES` names the files to compile, each after a comma.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

mod modules;
use modules::modules;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(image)");
    for variable in ["KERNELS", "KERNELS_IMAGES", "KERNELS_FILES"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let folder = env::var_os("KERNELS").or_else(|| env::var_os("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(folder.expect("cargo sets it"));
    let folder =
        fs::canonicalize(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    println!("cargo::rerun-if-changed={}", folder.display()); // files come and go
    let names = names(&folder);
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("nvptx64") {
        let wanted = env::var("KERNELS_FILES").expect("KERNELS_FILES names the files to compile");
        let wanted: Vec<_> = wanted.split(',').map(str::to_owned).collect();
        return write(&modules(&folder, &wanted));
    }
    let functions: Vec<_> = names.iter().filter(|name| *name != "lib").collect();
    let images = images(&folder, &functions);
    if images.is_some() {
        println!("cargo::rustc-cfg=image");
    }
    write(&(modules(&folder, &names) + &table(&functions, images.as_deref())));
}

/// The names of the files, without `.rs`.
fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    names
}

/// The folder with the images, unless this is a build only for the CPU.
fn images(folder: &Path, functions: &[&String]) -> Option<PathBuf> {
    let given = env::var_os("KERNELS_IMAGES");
    let images = given
        .as_ref()
        .map_or_else(|| folder.join("ptx"), PathBuf::from);
    let file = |name: &&String| images.join(format!("{name}.ptx"));
    let of_all = functions.iter().all(|name| file(name).is_file());
    match given {
        Some(given) if given == "none" => return None,
        None if !of_all => return None,
        _ => {}
    }
    for name in functions {
        println!("cargo::rerun-if-changed={}", file(name).display());
    }
    Some(images)
}

/// Returns the table of the files' functions; in Rust, `lib.rs` is the shared code.
fn table(functions: &[&String], images: Option<&Path>) -> String {
    let check = |name: &&String| {
        let message = format!("kernels/{name}.rs must declare a function of that name");
        format!(
            "const _: () = assert!(::cuvec_kernels::row::is_in_file({name}::__NAME, {name:?}), {message:?});\n"
        )
    };
    let file = |(index, name): (usize, &&String)| {
        let image = images.map_or("None".to_owned(), |images| {
            let path = images.join(format!("{name}.ptx"));
            format!("Some(concat!(include_str!({path:?}), \"\\0\"))")
        });
        let next = match index + 1 < functions.len() {
            true => format!("Some(library_of::<{}>)", index + 1),
            false => "None".to_owned(),
        };
        format!(
            "    ::cuvec_kernels::library::File {{\n        path: \"kernels/{name}.rs\",\n        functions: {name}::__DECLARED,\n        \
             image: {image},\n        next: {next},\n    }},\n"
        )
    };
    let checks: String = functions.iter().map(check).collect();
    let files: String = functions.iter().enumerate().map(file).collect();
    format!(
        "{checks}\n/// Declarations in the files, and their images.\nstatic FILES: &[::cuvec_kernels::library::File] = &[\n{files}];\n"
    )
}

fn write(list: &str) {
    let path = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("functions.rs");
    if fs::read_to_string(&path).ok().as_deref() != Some(list) {
        fs::write(&path, list).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
