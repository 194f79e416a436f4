//! What the user said of a package, as close to the options as possible: typed, asked for, or read from its record.

use std::collections::BTreeMap;

use clap::Args;
use serde::Deserialize;

use super::choices::Choices;
use crate::catalog::Kind;
use crate::wording::toml_string;

#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Said {
    /// Name of the package, such as `my-pkg`; its module is then `my_pkg`
    ///
    /// On a terminal, `cuvec-new` without it asks for the name and for all that no option gives.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    #[command(flatten)]
    pub layers: Choices,

    /// One line for PyPI and the README
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,

    /// Author of the package [default: `user.name` of git]
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,

    /// Email address of the author, "" for none [default: `user.email` of git]
    #[arg(long, value_name = "ADDRESS")]
    pub email: Option<String>,

    /// Lowest Python the package supports
    #[arg(long, value_name = "VERSION")]
    pub python: Option<String>,
}

/// Where the answer to a key is kept.
type Field = fn(&mut Said) -> &mut Option<String>;

/// The keys of a record that are no kind of layer.
const FIELDS: [(&str, Field); 5] = [
    ("name", |said| &mut said.name),
    ("description", |said| &mut said.description),
    ("author", |said| &mut said.author),
    ("email", |said| &mut said.email),
    ("python", |said| &mut said.python),
];

/// `.cuvec-new.toml`, as far as it is read.
#[derive(Deserialize)]
struct Record {
    answers: BTreeMap<String, String>,
}

impl Said {
    /// Keys and values of the table `[answers]` of a record, as lines of TOML.
    pub fn to_toml(&self) -> String {
        let mut said = self.clone();
        let mut lines = Vec::new();
        let mut line =
            |key: &str, value: &str| lines.push(format!("{key} = {}", toml_string(value)));
        for (key, field) in FIELDS {
            if let Some(value) = field(&mut said) {
                line(key, value);
            }
        }
        for (kind, _) in Kind::chosen() {
            if let Some(name) = said.layers.get(kind) {
                line(kind.folder(), name);
            }
        }
        lines.join("\n")
    }

    /// Reads a whole record. The error is what is wrong with it.
    pub fn from_record(text: &str) -> Result<Self, String> {
        let record: Record =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        let mut said = Self::default();
        for (key, value) in record.answers {
            let field = FIELDS.iter().find(|(name, _)| *name == key);
            match (field, Kind::from_folder(&key)) {
                (Some((_, field)), _) => *field(&mut said) = Some(value),
                (None, Some(kind)) => said.layers.set(kind, &value),
                (None, None) => return Err(format!("it answers `{key}`, which is no question")),
            }
        }
        Ok(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> Said {
        let mut layers = Choices::default();
        layers.set(Kind::Ci, "github");
        layers.set(Kind::Bridge, "pyo3");
        layers.set(Kind::Host, "nobody chooses it");
        Said {
            name: Some("my-pkg".to_owned()),
            layers,
            description: Some(r#"say "hi" to C:\"#.to_owned()),
            author: None,
            email: Some(String::new()),
            python: Some("3.12".to_owned()),
        }
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let lines = said().to_toml();
        let expected = r#"name = "my-pkg"
description = "say \"hi\" to C:\\"
email = ""
python = "3.12"
bridge = "pyo3"
ci = "github""#;
        assert_eq!(lines, expected);
        let record = format!("version = \"0.1.0\"\n\n[answers]\n{lines}\n");
        assert_eq!(Said::from_record(&record), Ok(said()));
    }

    #[test]
    fn no_record() {
        for text in [
            "",
            "answers = 1",
            "[answers]\nname = 1",
            "[answers]\nnmae = \"a\"",
        ] {
            assert!(Said::from_record(text).is_err(), "{text}");
        }
    }
}
