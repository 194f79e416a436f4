//! Reports the files that were made, and commands to type next.

use std::io;
use std::path::{Path, PathBuf};

use super::print::{BOLD, GOOD, note, print, print_list, print_wrapped, styled};
use crate::answers::{Answers, Identity};
use crate::catalog::Kind;
use crate::disk::{Destination, Repository, Written};
use crate::error::{MAX_NAMES, Result};
use crate::package::Rendered;
use crate::wording::quote;
use crate::workspaces::memberships;

/// Where virtual environments keep their programs.
pub const SCRIPTS: &str = if cfg!(windows) {
    ".venv/Scripts"
} else {
    ".venv/bin"
};

#[derive(Debug)]
pub struct Report<'a> {
    pub answers: &'a Answers<'a>,
    /// True if no option and no answer gave author and address.
    pub author_is_default: bool,
    pub destination: &'a Destination,
    pub files: &'a [Rendered<'a>],
    pub written: &'a Written,
    /// The package that this one is inside of.
    pub around: Option<PathBuf>,
    /// Files that the repository around it ignores.
    pub ignored: Vec<String>,
    pub tests: Option<String>,
    pub verbose: bool,
}

/// pip prints nothing while a package is built.
const FIRST_BUILD: &str = " (the first build takes about a minute)";

/// Daily commands of an owner.
const THEN: [&str; 2] = [
    "edit kernels/ and tests/, then pip install . && pytest",
    "cuvec-new add gemv '(m,n),(n)->(m)'",
];

/// Notes that a package lies where another one has its own files.
pub fn inside(package: &Path) -> String {
    format!(
        "it is inside the package `{}`, whose tools take its files for that one's: better made beside it, with `--output DIR`",
        package.display()
    )
}

/// Tells of the templates that `export` made, and how to use them.
pub fn exported(folder: &Path, templates: &[String]) -> Result<()> {
    print(format!(
        "{} {} templates in `{}`:\n  {}",
        styled(GOOD, "exported"),
        templates.len(),
        folder.display(),
        templates.join("\n  ")
    ))?;
    let command = format!("cargo generate --path {} --name mypkg", quote(folder));
    print_list("next", &[command])
}

/// Tells of the files that `add` wrote, and the next step. A function without results has effects.
pub fn added(
    name: &str,
    paths: &[String],
    written: &Written,
    needs: &[&str],
    is_effect: bool,
) -> Result<()> {
    let shown = paths.join("\n  ");
    print(format!("{} `{name}`:\n  {shown}", styled(GOOD, "added")))?;
    if !written.overwritten.is_empty() {
        print_list("overwritten", &written.overwritten)?;
    }
    let (tests, kernels): (Vec<_>, Vec<_>) = paths
        .iter()
        .map(String::as_str)
        .filter(|it| !it.ends_with("Cargo.toml")) // there is nothing to write in it
        .partition(|it| it.ends_with(".py"));
    let (test, tests, kernels) = (tests[0], tests.join(" "), kernels.join(" and "));
    let write = match is_effect {
        true => format!("write what it does in {kernels}, and how that is seen in {test}"),
        false => format!(
            "write what it computes in {kernels}, and the same in NumPy in `expected` of {test}"
        ),
    };
    let run = format!("pip install . pytest && pytest {tests}");
    let mut next: Vec<_> = needs.iter().map(ToString::to_string).collect();
    next.extend([write, run]);
    print_list("next", &next)
}

impl Report<'_> {
    pub fn print(&self) -> Result<()> {
        let answers = self.answers;
        print_wrapped(&format!(
            "{} `{}` in `{}`: {} files, bindings `{}`, kernels `{}`{}",
            styled(GOOD, "created"),
            answers.name,
            self.destination.path.display(),
            self.files.len(),
            answers.layers.get(Kind::Bridge).name(),
            answers.layers.get(Kind::Kernels).name(),
            self.repository(),
        ))?;
        if self.author_is_default {
            let Answers { author, email, .. } = answers;
            let identity = Identity::new(author, email);
            print_wrapped(&format!(
                "{}: {identity}; `--author` and `--email` give another one",
                styled(BOLD, "author")
            ))?;
        }
        if self.verbose {
            let files: Vec<_> = self.files.iter().map(|it| it.path.clone()).collect();
            self.print_files("files", &files)?;
        }
        self.print_files("overwritten", &self.written.overwritten)?;
        self.print_files("removed", &self.written.removed)?;
        if let Some(tests) = &self.tests {
            print(format!("{}: {tests}", styled(BOLD, "tests")))?;
        }
        let commands = self.commands().join("\n  ");
        let time = match self.tests {
            Some(_) => "",
            None => FIRST_BUILD,
        };
        print(format!("{}{time}:\n  {commands}", styled(BOLD, "next")))?;
        print_list("then", &THEN)?;
        self.warn(false);
        Ok(())
    }

    /// Prints the names of files, or their count if they are many.
    fn print_files(&self, heading: &str, files: &[String]) -> Result<()> {
        match files.len() {
            0 => Ok(()),
            count if count > MAX_NAMES && !self.verbose => {
                print(format!("{}: {count} files", styled(BOLD, heading)))
            }
            _ => print_list(heading, files),
        }
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
        if let [first, ..] = self.ignored.as_slice() {
            let files = match self.ignored.len() {
                1 => format!("`{first}`"),
                count => format!("{count} files of the package, such as `{first}`"),
            };
            let folder = quote(&self.destination.path);
            note(format!(
                "git ignores {files}; to commit all of it: git add --force {folder}"
            ));
        }
        for membership in memberships(&self.destination.path) {
            note(format!("{}: {}", membership.fact(), membership.hint()));
        }
        if let Some(package) = &self.around
            && !quiet
        {
            note(inside(package));
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
            commands.push("pip install . pytest && pytest".to_owned());
        }
        commands.push(format!(
            "python -c 'from {module} import cuvec; print(cuvec.device())'"
        ));
        commands
    }
}
