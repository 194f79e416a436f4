//! The files whose functions are adopted, as they are read.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::cmake;
use super::includes;
use super::source::Source;
use crate::disk::existing;
use crate::error::{Error, Result};

/// A file with functions, before its declarations are written.
pub struct File {
    /// In the package, with `/`.
    pub path: String,
    pub source: Source,
    pub needs_cuda: bool,
    pub missing: Option<String>,
    pub is_header: bool,
    pub includes: BTreeSet<PathBuf>,
}

impl File {
    pub fn defined(&self) -> Vec<String> {
        let functions = self.source.functions().into_iter();
        functions.map(|it| it.name).collect()
    }
}

/// A path in the package, as it is from there.
pub fn inside(path: &Path, package: &Path) -> Result<String> {
    let whole = path.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::usage(
            format!("`{}` does not exist", path.display()),
            "give files and folders that are in the package",
        ),
        _ => Error::io("find", path, error),
    })?;
    let root = package
        .canonicalize()
        .map_err(|error| Error::io("find", package, error))?;
    let outside = |_| {
        Error::usage(
            format!("`{}` is not in the package", path.display()),
            "copy it there, such as into `lib/`, or add it as a submodule of git: builds read nothing else",
        )
    };
    let path = whole.strip_prefix(root).map_err(outside)?;
    let parts = path.components().map(|it| match it {
        Component::Normal(it) => it.to_string_lossy().into_owned(),
        other => other.as_os_str().to_string_lossy().into_owned(),
    });
    let inner = parts.collect::<Vec<_>>().join("/");
    match cmake::strange_letter(&inner) {
        None => Ok(inner),
        Some(letter) => Err(Error::usage(
            format!(
                "`{inner}` has {letter:?} in its name, which CMake or a compiler takes for something else"
            ),
            "rename it",
        )),
    }
}

pub fn file(path: &Path, package: &Path, folders: &[String], cmake: &str) -> Result<File> {
    let inner = inside(path, package)?;
    let ending = path
        .extension()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    let is_header = ["h", "hh", "hpp", "hxx", "cuh"].contains(&ending);
    if !is_header && !["cu", "cpp", "cc", "cxx", "c"].contains(&ending)
        || inner.starts_with("kernels/")
    {
        return Err(Error::usage(
            format!("`{inner}` is not a source that can be adopted"),
            "give files of C, C++ and CUDA, sources or headers, outside of `kernels/`",
        ));
    }
    let unread = |problem: String| Error::usage(problem, "give files of C, C++ and CUDA");
    let text = existing(package, &inner)?.text(&inner).map_err(unread)?;
    let text = text.unwrap_or_default();
    let broken = |problem| unread(format!("`{inner}` {problem}"));
    let mut source = Source::parse(&text, ending == "c").map_err(broken)?;
    let folders: Vec<_> = folders.iter().map(|it| package.join(it)).collect();
    let includes = includes::includes(&package.join(&inner), &source, &folders, cmake);
    for (header, is_optional) in &includes.headers {
        source.learn(header, *is_optional);
    }
    Ok(File {
        path: inner,
        source,
        needs_cuda: includes.needs_cuda,
        missing: includes.missing,
        is_header,
        includes: includes.paths,
    })
}
