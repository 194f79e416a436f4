//! What was made, and what to type next.

use std::io;
use std::path::Path;

use super::print::{BOLD, GOOD, note, print, print_wrapped, styled};
use crate::answers::Answers;
use crate::catalog::Kind;
use crate::disk::{Destination, Repository, Written};
use crate::error::Result;
use crate::wording::quote;

/// Where virtual environments keep their programs.
pub const SCRIPTS: &str = if cfg!(windows) {
    ".venv/Scripts"
} else {
    ".venv/bin"
};

#[derive(Debug)]
pub struct Report<'a> {
    answers: &'a Answers<'a>,
    destination: &'a Destination,
    files: usize,
    written: &'a Written,
    /// Summary of the tests, if they were run.
    tests: Option<String>,
}

/// What `export` made, and how to use it.
pub fn exported(folder: &Path, templates: &[String]) -> Result<()> {
    print(format!(
        "{} {} templates in `{}`:\n  {}",
        styled(GOOD, "exported"),
        templates.len(),
        folder.display(),
        templates.join("\n  ")
    ))?;
    let command = format!("cargo generate --path {} --name mypkg", quote(folder));
    print(format!("{}:\n  {command}", styled(BOLD, "next")))
}

/// What `add` wrote, and what to do next.
pub fn added(name: &str, [kernel, test]: &[String; 2], needs: &[&str]) -> Result<()> {
    print(format!(
        "{} `{name}`:\n  {kernel}\n  {test}",
        styled(GOOD, "added")
    ))?;
    let needs: String = needs.iter().map(|it| format!("\n  {it}")).collect();
    print(format!(
        "{}:{needs}\n  write what an element is in {kernel}, and the same in NumPy in `expected` of {test}\n  \
         pip install . pytest && pytest {test}",
        styled(BOLD, "next")
    ))
}

impl<'a> Report<'a> {
    pub fn new(
        answers: &'a Answers,
        destination: &'a Destination,
        files: usize,
        written: &'a Written,
        tests: Option<String>,
    ) -> Self {
        Self {
            answers,
            destination,
            files,
            written,
            tests,
        }
    }

    pub fn print(&self) -> Result<()> {
        let answers = self.answers;
        print_wrapped(&format!(
            "{} `{}` in `{}`: {} files, bindings `{}`, kernels `{}`{}",
            styled(GOOD, "created"),
            answers.name,
            self.destination.path.display(),
            self.files,
            answers.layers.get(Kind::Bridge).name(),
            answers.layers.get(Kind::Kernels).name(),
            self.repository(),
        ))?;
        if !self.written.overwritten.is_empty() {
            let files = self.written.overwritten.join("\n  ");
            print(format!("{}:\n  {files}", styled(BOLD, "overwritten")))?;
        }
        if !self.written.removed.is_empty() {
            let files = self.written.removed.join("\n  ");
            print(format!("{}:\n  {files}", styled(BOLD, "removed")))?;
        }
        if let Some(tests) = &self.tests {
            print(format!("{}: {tests}", styled(BOLD, "tests")))?;
        }
        let commands = self.commands().join("\n  ");
        print(format!("{}:\n  {commands}", styled(BOLD, "next")))?;
        self.warn(false);
        Ok(())
    }

    /// Prints what is not as it should be; with `quiet` what failed, and not what is missing on this machine.
    pub fn warn(&self, quiet: bool) {
        if let Repository::Failed(error) = &self.written.repository {
            let missing = error.kind() == io::ErrorKind::NotFound;
            let reason = match missing {
                true => "`git` is not installed".to_owned(),
                false => error.to_string(),
            };
            if !(quiet && missing) {
                note(format!("no git repository was made: {reason}"));
            }
        }
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
        let folder = &self.destination.path;
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
