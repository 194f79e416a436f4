//! The values templates may use. `templates/README.md` lists them for the people who write templates.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::sum::sum;
use crate::answers::Answers;
use crate::error::{Error, Result};
use crate::wording::toml_string;

/// The key of all answers, as lines of TOML.
pub const ANSWERS: &str = "answers";

pub type Context = BTreeMap<String, String>;

/// The answers, and the `[values]` of all layers beside them.
pub fn context(answers: &Answers) -> Result<Context> {
    let mut context: Context = [
        ("name", answers.name.distribution().to_owned()),
        ("module", answers.name.module()),
        ("description", answers.description.clone()),
        ("author", answers.author.clone()),
        ("email", answers.email.clone()),
        ("authors", authors(answers)),
        ("year", answers.year.to_string()),
        ("python", answers.python.to_string()),
        ("python_tag", answers.python.tag()),
        ("python_classifiers", answers.python.classifiers()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        (ANSWERS, answers.said().to_toml()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    let members = answers.layers.names();
    context.extend(members.map(|(kind, name)| (kind.folder().to_owned(), name.to_owned())));
    if let Some(runtime) = answers.layers.runtime() {
        context.insert("runtime_sha256".to_owned(), sum(runtime));
    }

    for layer in answers.layers.iter() {
        for (key, value) in &layer.manifest.values {
            match context.entry(key.clone()) {
                Entry::Vacant(entry) => entry.insert(value.clone()),
                Entry::Occupied(_) => {
                    let file = format!("{}/layer.toml", layer.id);
                    return Err(Error::template(
                        file,
                        format!("the value `{key}` is given twice"),
                    ));
                }
            };
        }
    }
    Ok(context)
}

fn authors(answers: &Answers) -> String {
    let name = toml_string(&answers.author);
    if answers.email.is_empty() {
        format!("{{ name = {name} }}")
    } else {
        let email = toml_string(&answers.email);
        format!("{{ name = {name}, email = {email} }}")
    }
}
