//! Finds the files that a source includes, as far as they are in the package or known.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::source::Source;
use crate::read;

/// Beginnings of the names of headers that come with nvcc.
const WITH_NVCC: &str = "
    cuda cub/ thrust/ nv/ crt/ cooperative_groups cuComplex.h device_ driver_ vector_ math_constants.h math_functions.h mma.h sm_
    surface_ texture_ host_defines.h builtin_types.h channel_descriptor.h library_types.h common_functions.h
";

/// Libraries of CUDA's that a package can link, by the beginnings of their headers.
const LIBRARIES: [&str; 6] = [
    "cublasLt", "cublas", "cufft", "curand", "cusolver", "cusparse",
];

/// Beginnings of the names of headers for what declarations are instead of: a function takes the arrays of all libraries,
/// and is built without any of them.
const BINDINGS: [&str; 8] = [
    "torch/",
    "ATen/",
    "c10/",
    "THC/",
    "pybind11/",
    "nanobind/",
    "Python.h",
    "numpy/",
];

/// Where compilers look by themselves.
const SYSTEM: [&str; 2] = ["/usr/include", "/usr/local/include"];

pub struct Includes {
    /// Those in the package, with what they include, and whether only some builds include them.
    pub headers: Vec<(Source, bool)>,
    /// Where they are.
    pub paths: BTreeSet<PathBuf>,
    pub needs_cuda: bool,
    /// Missing file, and the fix.
    pub missing: Option<String>,
}

/// `folders` are what `--include` names, `cmake` is what CMakeLists.txt says.
pub fn includes(path: &Path, source: &Source, folders: &[PathBuf], cmake: &str) -> Includes {
    let mut found = Includes {
        headers: Vec::new(),
        paths: BTreeSet::new(),
        needs_cuda: is_cuda(path) || has_cuda(source),
        missing: None,
    };
    let mut left: Vec<_> = names(path, source);
    while let Some((folder, name, is_optional)) = left.pop() {
        let (quote, inner) = name.split_at(1);
        let end = if quote == "\"" { '"' } else { '>' };
        let inner = inner.split(end).next().unwrap_or_default();
        let own = (quote == "\"").then_some(&folder);
        let places = own.into_iter().chain(folders).map(|it| it.join(inner));
        if let Some(header) = places.into_iter().find(|it| it.is_file()) {
            let whole = header.canonicalize().unwrap_or_else(|_| header.clone());
            if !found.paths.insert(whole) {
                continue;
            }
            let text = read::text(&header).map_err(|it| it.to_string());
            match text.and_then(|it| Source::parse(&it, false)) {
                Ok(source) => {
                    found.needs_cuda |= has_cuda(&source);
                    let inner = names(&header, &source).into_iter();
                    left.extend(inner.map(|(folder, name, it)| (folder, name, it || is_optional)));
                    found.headers.push((source, is_optional));
                }
                Err(problem) => {
                    let what = format!("{name} cannot be read: {problem}");
                    found.missing.get_or_insert(what);
                }
            }
            continue;
        }
        if is_optional {
            continue;
        }
        let library = LIBRARIES.iter().find(|it| inner.starts_with(**it));
        if WITH_NVCC.split_whitespace().any(|it| inner.starts_with(it)) {
            found.needs_cuda = true;
        } else if let Some(library) = library {
            found.needs_cuda = true;
            let calls = cmake.split("cuda_libraries(").skip(1);
            let mut words =
                calls.flat_map(|it| it.split(')').next().unwrap_or_default().split_whitespace());
            if !words.any(|it| it == *library) {
                found.missing.get_or_insert(format!(
                    "{name} needs `cuda_libraries({library})` in CMakeLists.txt, and a line in pyproject.toml"
                ));
            }
        } else if inner == "omp.h" {
            if !cmake.contains("OpenMP") {
                let needs = "needs `find_package(OpenMP REQUIRED COMPONENTS CXX)` in CMakeLists.txt, and `LIBRARIES OpenMP::OpenMP_CXX` of `kernel_sources` after it";
                found.missing.get_or_insert(format!("{name} {needs}"));
            }
        } else if BINDINGS.iter().any(|it| inner.starts_with(it)) {
            let instead = "move the kernels and what they call into a file without that library, and adopt that file";
            found.missing.get_or_insert(format!(
                "{name} is from a library that packages are built without: {instead}"
            ));
        } else if !is_of_language(inner)
            && !SYSTEM.iter().any(|it| Path::new(it).join(inner).is_file())
        {
            found.missing.get_or_insert(format!(
                "{name} was not found: `--include DIR` names its folder"
            ));
        }
    }
    found
}

fn names(path: &Path, source: &Source) -> Vec<(PathBuf, String, bool)> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let names = source
        .includes()
        .into_iter()
        .filter(|it| it.0.starts_with(['"', '<']));
    names
        .map(|(name, is_optional)| (folder.clone(), name.to_owned(), is_optional))
        .collect()
}

fn is_cuda(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "cu" || it == "cuh")
}

fn has_cuda(source: &Source) -> bool {
    let words = ["__global__", "__device__", "<<<"];
    source
        .words
        .iter()
        .any(|it| words.iter().any(|word| it.text.starts_with(word)))
        || source.text.contains("cudaStream_t")
}

/// `vector`, `math.h`: of C++ and C, on every system.
fn is_of_language(name: &str) -> bool {
    let c = "assert complex ctype errno fenv float inttypes limits locale math setjmp signal stdarg stdbool stddef stdint stdio stdlib string \
             time unistd wchar";
    let letters = |it: char| it.is_ascii_lowercase() || it == '_' || it.is_ascii_digit();
    match name.strip_suffix(".h") {
        Some(base) if base.starts_with("sys/") => true,
        Some(base) => c.split_whitespace().any(|it| it == base),
        None => name.chars().all(letters),
    }
}
