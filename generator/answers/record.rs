//! `.cuvec-new.toml`: how a package was made, kept in the package.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::raw::RawAnswers;

#[derive(Debug)]
pub struct Record {
    /// Version of the `cuvec-new` that made it.
    pub version: Option<String>,
    /// The year in its license.
    pub year: Option<i32>,
    pub said: RawAnswers,
}

#[derive(Deserialize)]
struct File {
    version: Option<String>,
    year: Option<i32>,
    answers: BTreeMap<String, String>,
}

impl Record {
    pub const PATH: &str = ".cuvec-new.toml";

    /// The error is what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        Ok(Self {
            version: file.version,
            year: file.year,
            said: RawAnswers::from_record(file.answers)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Choices;
    use crate::catalog::Kind;

    fn said() -> RawAnswers {
        let mut layers = Choices::default();
        layers.set(Kind::Ci, "github");
        layers.set(Kind::Bridge, "pyo3");
        RawAnswers {
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
        let record = format!("version = \"0.1.0\"\nyear = 2026\n\n[answers]\n{lines}\n");
        let record = Record::parse(&record).unwrap();
        assert_eq!(record.said, said());
        assert_eq!(record.year, Some(2026));
        assert_eq!(record.version, Some("0.1.0".to_owned()));
    }
}
