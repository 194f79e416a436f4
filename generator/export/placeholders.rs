//! Answers that stand for what `cargo generate` asks later.

use std::collections::BTreeMap;

use crate::answers::{Answers, Name, PythonVersion};
use crate::catalog::{Catalog, Chosen, Exported, Kind, Layer};
use crate::error::Result;
use crate::package::{self, ANSWERS, Context};

/// A package name that no template holds; `module` finds it in paths.
const NAME: &str = "placeholder-of-the-name";

/// Around the key of an answer, in rendered text. Private characters of Unicode: no template holds them.
pub const START: char = '\u{E000}';
pub const END: char = '\u{E001}';

/// `layers` are one of each kind that is chosen.
pub fn answers<'a>(layers: BTreeMap<Kind, &'a Layer>, catalog: &'a Catalog) -> Result<Answers<'a>> {
    Ok(Answers {
        name: Name::parse(NAME)?,
        description: token("description"),
        author: token("author"),
        email: token("email"),
        year: 0,
        python: PythonVersion::LOWEST,
        layers: Chosen::of(catalog, layers),
    })
}

/// The values for the templates, with a token for each that depends on what is asked later.
pub fn context(answers: &Answers) -> Result<Context> {
    let mut context = package::context(answers)?;
    let mut said = answers.said();
    said.name = Some(token("name"));
    said.python = Some(token("python"));
    for kind in Kind::exported(Exported::Question) {
        said.layers.set(kind, &token(kind.folder()));
        context.insert(kind.folder().to_owned(), token(kind.folder()));
    }
    context.insert(ANSWERS.to_owned(), said.to_toml());
    for key in [
        "name",
        "module",
        "authors",
        "year",
        "python",
        "python_tag",
        "python_classifiers",
    ] {
        context.insert(key.to_owned(), token(key));
    }
    Ok(context)
}

/// Stands for the answer `key`. Its quote tells `liquid` whether a helper has escaped the text.
pub fn token(key: &str) -> String {
    format!("{START}\"{key}{END}")
}

/// In paths: `cargo generate` fills in the names of files and folders as well.
const MODULE: &str = "{{crate_name}}";

/// The path of a template.
pub fn path(path: &str) -> String {
    path.replace(&NAME.replace('-', "_"), MODULE)
}

/// Such a path as it stands in a text.
pub fn path_in_text(path: &str) -> String {
    path.replace(MODULE, &token("module"))
}
