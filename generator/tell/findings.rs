//! Findings of the checks of a machine, a package or a wheel: a line each, or JSON.

use serde::{Deserialize, Serialize};

use super::print::{BAD, GOOD, NOTE, print, print_json, styled};
use crate::error::{Error, Result};
use crate::wording::shown;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    Warning,
    Problem,
}

/// The outcome of a check. With `--json`, fields under these names; none is renamed or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub check: String,
    pub status: Status,
    pub found: String,
    /// Fix; empty where nothing is to be fixed.
    pub hint: String,
}

impl Finding {
    pub fn ok(check: &str, found: impl Into<String>) -> Self {
        Self::new(check, Status::Ok, found.into(), "")
    }

    pub fn warning(check: &str, found: impl Into<String>, hint: &str) -> Self {
        Self::new(check, Status::Warning, found.into(), hint)
    }

    pub fn problem(check: &str, found: impl Into<String>, hint: &str) -> Self {
        Self::new(check, Status::Problem, found.into(), hint)
    }

    fn new(check: &str, status: Status, found: String, hint: &str) -> Self {
        Self {
            check: check.to_owned(),
            status,
            found,
            hint: hint.to_owned(),
        }
    }

    fn line(&self) -> String {
        let (style, status) = match self.status {
            Status::Ok => (GOOD, "ok     "),
            Status::Warning => (NOTE, "warning"),
            Status::Problem => (BAD, "problem"),
        };
        let text = match self.hint.as_str() {
            "" => format!("{}: {}", self.check, self.found),
            hint => format!("{}: {}; {hint}", self.check, self.found),
        };
        // A name with a line end in it would look like another finding.
        let text = shown(&text).replace('\n', "\\n");
        format!("{}  {}", styled(style, status), text)
    }
}

/// Prints them; an error if there are problems.
pub fn findings(findings: &[Finding], json: bool) -> Result<()> {
    if json {
        print_json(&findings)?;
    } else {
        for finding in findings {
            print(finding.line())?;
        }
    }
    let problems = findings.iter().filter(|it| it.status == Status::Problem);
    match problems.count() {
        0 => Ok(()),
        count => Err(Error::Problems { count }),
    }
}
