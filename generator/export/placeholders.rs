//! Answers that stand for what `cargo generate` asks later.

use crate::answers::Answers;
use crate::catalog::Catalog;
use crate::context::{self, Context};
use crate::destination::Destination;
use crate::error::Result;
use crate::layer::Layer;
use crate::name::Name;
use crate::python::PythonVersion;

/// A package name that no template holds; `module` finds it in paths.
const NAME: &str = "placeholder-of-the-name";

/// Around the key of an answer, in rendered text. Private characters of Unicode: no template holds them.
pub const START: char = '\u{E000}';
pub const END: char = '\u{E001}';

/// Bridge, kernels, licence, CI: the host follows from the bridge.
pub type Choices<'a> = [&'a Layer; 4];

pub fn answers<'a>(choices: Choices<'a>, catalog: &'a Catalog) -> Result<Answers<'a>> {
    let [bridge, kernels, license, ci] = choices;
    let host = catalog.host(bridge)?;
    Ok(Answers {
        name: Name::parse(NAME)?,
        description: token("description"),
        author: token("author"),
        email: token("email"),
        year: 0,
        python: PythonVersion::LOWEST,
        common: &catalog.common,
        shared: catalog.includes(&[kernels, host, bridge])?,
        license,
        ci,
        kernels,
        host,
        bridge,
        destination: Destination {
            path: ".".into(),
            force: false,
        },
        git: false,
    })
}

/// The values for the templates, with a token for each that depends on what is asked later.
pub fn context(answers: &Answers) -> Result<Context> {
    let mut context = context::context(answers)?;
    for key in [
        "name",
        "module",
        "authors",
        "year",
        "license",
        "ci",
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

/// The path of a template: `cargo generate` fills in the names of files and folders as well.
pub fn path(path: &str) -> String {
    path.replace(&NAME.replace('-', "_"), "{{crate_name}}")
}
