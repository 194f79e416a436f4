//! The user's own answers to what nobody says of a new package: `cuvec-new/config.toml` in the folder of settings.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::{Path, PathBuf};

use super::python;
use super::raw::RawAnswers;
use crate::catalog::{Catalog, Chosen};
use crate::error::{Error, Result};
use crate::read;

const HINT: &str = "it has lines such as `author = \"Ada Lovelace\"`; keys are as in `.cuvec-new.toml` of a \
                    package, without `name` and `description`";

/// Nothing without such a file, nor in the home of another user, whose files nobody sees.
pub fn config(catalog: &Catalog) -> Result<RawAnswers> {
    let Some(path) = path() else {
        return Ok(RawAnswers::default());
    };
    let text = match read::text(&path) {
        Err(_) if !is_seen(&path) => return Ok(RawAnswers::default()),
        read => read.map_err(|error| Error::io("read", &path, error))?,
    };
    let refused =
        |problem, hint: &str| Error::usage(format!("`{}`: {problem}", path.display()), hint);
    let answers = parse(&text).map_err(|problem| refused(problem, HINT))?;
    // Nobody has typed what is wrong, so the file is named.
    match check(&answers, catalog) {
        Err(Error::Usage { problem, hint }) => Err(refused(problem, &hint)),
        checked => checked.map(|()| answers),
    }
}

fn check(answers: &RawAnswers, catalog: &Catalog) -> Result<()> {
    Chosen::new(catalog, answers.layers.all())?;
    answers
        .python
        .as_deref()
        .map_or(Ok(()), |version| python(version).map(drop))
}

fn is_seen(path: &Path) -> bool {
    use io::ErrorKind::{NotFound, PermissionDenied};
    match path.symlink_metadata() {
        Err(error) => !matches!(error.kind(), NotFound | PermissionDenied),
        Ok(_) => true,
    }
}

/// The error is what is wrong with the text.
fn parse(text: &str) -> Result<RawAnswers, String> {
    let answers: BTreeMap<String, String> =
        toml::from_str(text).map_err(|error| error.message().to_owned())?;
    match ["name", "description"]
        .iter()
        .find(|key| answers.contains_key(**key))
    {
        Some(key) => Err(format!("`{key}` is different for each package")),
        None => RawAnswers::from_record(answers),
    }
}

/// In the folder of settings that a variable names, or else in the home.
fn path() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|it| !it.is_empty());
    let settings = match cfg!(windows) {
        true => variable("APPDATA").map(PathBuf::from),
        false => variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(env::home_dir()?.join(".config"))),
    };
    settings.map(|it| it.join("cuvec-new/config.toml"))
}
