//! One program of a trial.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::log::Log;
use crate::error::{Error, Result};
use crate::process;
use crate::wording::{quote, quote_word};

/// How many lines of a failing step's output are shown.
const TAIL: usize = 20;

/// Settings of the user that would send programs of the virtual environment elsewhere, or colour their log.
const FOREIGN: [&str; 9] = [
    "PYTHONHOME",
    "PYTHONPATH",
    "PIP_PREFIX",
    "PIP_PYTHON",
    "PIP_ROOT",
    "PIP_TARGET",
    "PIP_USER",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
];

pub struct Step {
    pub label: &'static str,
    /// A name on the PATH, or a path below the folder of the package.
    program: String,
    arguments: Vec<String>,
}

impl Step {
    pub fn new(label: &'static str, program: &str, arguments: &[&str]) -> Self {
        let step = Self {
            label,
            program: program.to_owned(),
            arguments: Vec::new(),
        };
        step.and(arguments)
    }

    pub fn and(mut self, arguments: &[&str]) -> Self {
        self.arguments
            .extend(arguments.iter().map(ToString::to_string));
        self
    }

    /// Runs it in the package, whose folder is `root`, and `folder` to the user.
    pub fn run(&self, root: &Path, folder: &Path, log: &mut Log) -> Result<()> {
        let mut command = self.command(root);
        log.redirect(&mut command, &self.typed())?;
        match process::run(&mut command) {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => {
                let tail = tail(&log.last_step()?);
                Err(self.failed(folder, log, tail))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(Error::Interrupted {
                hint: Some(format!(
                    "the package is complete, its environment is not: `rm -r {}`",
                    quote(&folder.join(".venv"))
                )),
            }),
            Err(error) => Err(self.failed(folder, log, format!("  {error}"))),
        }
    }

    fn command(&self, root: &Path) -> Command {
        let mut command = match self.program.contains('/') {
            true => Command::new(root.join(&self.program)),
            false => Command::new(&self.program),
        };
        for variable in FOREIGN {
            command.env_remove(variable);
        }
        command
            .args(&self.arguments)
            .env("PIP_NO_INPUT", "1")
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .current_dir(root)
            .stdin(Stdio::null());
        command
    }

    fn failed(&self, folder: &Path, log: &Log, tail: String) -> Error {
        let command = format!("cd {} && {}", quote(folder), self.typed());
        let log = log.path.display();
        Error::failed(
            format!(
                "failed to {}; the last lines of its output:\n{tail}",
                self.label
            ),
            format!("the whole log is `{log}`; to repeat the step: `{command}`"),
        )
    }

    /// The command as one would type it in the folder of the package.
    fn typed(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words
            .map(|word| quote_word(word))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// The last lines of an output, indented.
fn tail(output: &str) -> String {
    let lines: Vec<_> = output.lines().collect();
    let start = lines.len().saturating_sub(TAIL);
    let lines = lines[start..].iter().map(|line| format!("  {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
