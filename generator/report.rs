//! What was made, and what to type next.

use std::io;
use std::path::Path;

use crate::answers::Answers;
use crate::error::{Result, quote};
use crate::render::Rendered;
use crate::shell::{self, BOLD, GOOD, styled};
use crate::trial::SCRIPTS;
use crate::write::{Repository, Written};

#[derive(Debug)]
pub struct Report<'a> {
    answers: &'a Answers<'a>,
    files: usize,
    written: &'a Written,
    /// Summary of the tests, if they were run.
    tests: Option<String>,
}

/// What `export` made, and how to use it.
pub fn exported(folder: &Path, templates: &[String]) -> Result<()> {
    shell::print(format!(
        "{} {} templates in `{}`:\n  {}",
        styled(GOOD, "exported"),
        templates.len(),
        folder.display(),
        templates.join("\n  ")
    ))?;
    let command = format!("cargo generate --path {} --name mypkg", quote(folder));
    shell::print(format!("{}:\n  {command}", styled(BOLD, "next")))
}

impl<'a> Report<'a> {
    pub fn new(
        answers: &'a Answers,
        rendered: &[Rendered],
        written: &'a Written,
        tests: Option<String>,
    ) -> Self {
        Self {
            answers,
            files: rendered.len(),
            written,
            tests,
        }
    }

    pub fn print(&self) -> Result<()> {
        let answers = self.answers;
        shell::print(format!(
            "{} `{}` in `{}`: {} files, bridge `{}`, kernels `{}`{}",
            styled(GOOD, "created"),
            answers.name,
            answers.destination.path.display(),
            self.files,
            answers.bridge.name(),
            answers.kernels.name(),
            self.repository(),
        ))?;
        if !self.written.overwritten.is_empty() {
            let files = self.written.overwritten.join("\n  ");
            shell::print(format!("{}:\n  {files}", styled(BOLD, "overwritten")))?;
        }
        if let Some(tests) = &self.tests {
            shell::print(format!("{}: {tests}", styled(BOLD, "tests")))?;
        }
        let commands = self.commands().join("\n  ");
        shell::print(format!("{}:\n  {commands}", styled(BOLD, "next")))?;
        if let Repository::Failed(error) = &self.written.repository {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "`git` is not installed".to_owned(),
                _ => error.to_string(),
            };
            shell::note(format!("no git repository was made: {reason}"));
        }
        Ok(())
    }

    fn repository(&self) -> String {
        match &self.written.repository {
            Repository::Created => ", git repository with a first commit".to_owned(),
            Repository::Around(folder) => {
                format!(
                    "; no commit, since it is inside the git repository `{}`",
                    folder.display()
                )
            }
            Repository::Declined | Repository::Failed(_) => String::new(),
        }
    }

    fn commands(&self) -> Vec<String> {
        let folder = &self.answers.destination.path;
        let module = self.answers.name.module();
        let mut commands = Vec::new();
        if folder.as_os_str() != "." {
            commands.push(format!("cd {}", quote(folder)));
        }
        if self.tests.is_none() {
            commands.push("python3 -m venv .venv".to_owned());
        }
        commands.push(match cfg!(windows) {
            true => r".venv\Scripts\activate".to_owned(),
            false => format!(". {SCRIPTS}/activate"),
        });
        if self.tests.is_none() {
            commands.push("pip install .".to_owned());
        }
        commands.push(format!(
            "python -c 'from {module} import cuvec; print(cuvec.device())'"
        ));
        commands
    }
}
