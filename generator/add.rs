//! `cuvec-new add`: a new function of a package that exists, in a first form that builds, and its test.

mod check;
mod cuda;
mod declaration;
mod layout;
mod names;
mod read;
mod rust;
mod signature;
mod test;

use std::fs;
use std::path::Path;

use crate::answers::{Name, Record};
use crate::disk::{Destination, write};
use crate::error::{Error, Result};
use crate::package::Rendered;
use crate::tell::{added, told};
use declaration::{DType, Declaration};
use read::Fault;

/// What the command line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish<'a> {
    /// The name of the function, or its whole declaration.
    pub function: &'a str,
    pub signature: Option<&'a str>,
    pub dtypes: Option<&'a str>,
    pub package: &'a Path,
    pub quiet: bool,
}

/// The dtypes of a function whose signature has none.
const DEFAULT_DTYPES: &str = "float32,float64";

/// How a kernel kind writes functions.
struct Language {
    /// A file of the runtime that says that a package has this kind.
    mark: &'static str,
    ending: &'static str,
    source: fn(&Declaration) -> String,
}

const LANGUAGES: [Language; 2] = [
    Language {
        mark: "runtime/native/include/cuvec.h",
        ending: "cu",
        source: cuda::source,
    },
    Language {
        mark: "runtime/native/kernels/src/kernel/mod.rs",
        ending: "rs",
        source: rust::source,
    },
];

/// Writes the two files, and says so.
pub fn run(wish: Wish) -> Result<()> {
    let (module, language) = package(wish.package)?;
    let declaration = declaration(wish)?;
    let paths = [
        format!("kernels/{}.{}", declaration.name, language.ending),
        format!("tests/test_{}.py", declaration.name),
    ];
    for path in &paths {
        let path = wish.package.join(path);
        if path.symlink_metadata().is_ok() {
            let problem = format!(
                "names a function that is there: `{}` exists",
                path.display()
            );
            return Err(Error::option(
                "NAME",
                problem,
                "choose another name, or remove the file",
            ));
        }
    }
    let [kernel, test] = &paths;
    let files = [
        Rendered::new(kernel, (language.source)(&declaration).into_bytes()),
        Rendered::new(test, test::source(&declaration, &module).into_bytes()),
    ];
    let destination = Destination {
        path: wish.package.components().collect(),
        force: true,
    };
    write(&files, &[], &destination, None)?;
    match wish.quiet {
        true => Ok(()),
        false => told(added(&declaration.name, &paths)),
    }
}

/// The module of the package, and how its functions are written.
fn package(folder: &Path) -> Result<(String, &'static Language)> {
    let none = |problem: String| {
        let hint = "start it in the folder of a package, or give `--package DIR`";
        Error::option("--package", problem, hint)
    };
    let record = folder.join(Record::PATH);
    let text = fs::read_to_string(&record).map_err(|_| {
        none(format!(
            "names no package: there is no `{}`",
            record.display()
        ))
    })?;
    let broken = |problem: String| none(format!("has a broken `{}`: {problem}", Record::PATH));
    let name = Record::parse(&text).map_err(broken)?.said.name;
    let name = Name::parse(&name.unwrap_or_default()).map_err(|it| broken(it.to_string()))?;
    let language = LANGUAGES.iter().find(|it| folder.join(it.mark).exists());
    let language = language.ok_or_else(|| {
        none(format!(
            "is `{}`, whose runtime is not there, or of no kind that is known",
            folder.display()
        ))
    })?;
    Ok((name.module(), language))
}

fn declaration(wish: Wish) -> Result<Declaration> {
    let (text, read) = match wish.signature {
        None if !wish.function.contains('(') => {
            let hint = format!("such as `cuvec-new add {} '(m,n),(n)->(m)'`", wish.function);
            return Err(Error::option("SIGNATURE", "is missing", hint));
        }
        None => (wish.function, read::declaration(wish.function)),
        Some(text) if text.trim_start().starts_with('(') && !text.contains(':') => (
            text,
            read::shapes(wish.function, text, &dtypes(wish.dtypes)?),
        ),
        Some(text) => (text, read::declaration(text)),
    };
    let of_text = |fault: Fault| fault.of(text);
    let declaration = read.map_err(of_text)?;
    if let Some(reason) = names::of_function(&declaration.name) {
        let problem = format!(
            "`{}` cannot be the name of a function: {reason}",
            declaration.name
        );
        return Err(Error::option("NAME", problem, "choose another name"));
    }
    let whole = wish.signature != Some(text) || text.contains(':');
    if whole && wish.dtypes.is_some() {
        let hint = "write them there: `<T: float32, float64>`";
        return Err(Error::option(
            "--dtypes",
            "is for a signature without dtypes",
            hint,
        ));
    }
    if wish.signature.is_some() && declaration.name != wish.function {
        let problem = format!(
            "is `{}`, and the declaration is of `{}`",
            wish.function, declaration.name
        );
        return Err(Error::option(
            "NAME",
            problem,
            "leave it out: the declaration has the name",
        ));
    }
    check::check(&declaration).map_err(of_text)?;
    if test::rows(&declaration).is_empty() {
        let hint = "write the two files by hand, as README.md says";
        return Err(Fault::new(0, "no sizes were found for a test of it", hint).of(text));
    }
    Ok(declaration)
}

fn dtypes(given: Option<&str>) -> Result<Vec<DType>> {
    let mut found = Vec::new();
    for word in given.unwrap_or(DEFAULT_DTYPES).split(',').map(str::trim) {
        let refused = |(problem, hint): (String, String)| {
            Error::option("--dtypes", format!("is wrong: {problem}"), hint)
        };
        let dtype = read::dtype(word).map_err(refused)?;
        if found.contains(&dtype) {
            let problem = format!("has `{word}` twice");
            return Err(Error::option("--dtypes", problem, "remove one of them"));
        }
        found.push(dtype);
    }
    Ok(found)
}

/// The docstring of a first form.
fn doc(declaration: &Declaration) -> String {
    format!("Say here what `{}` does.", declaration.name)
}
