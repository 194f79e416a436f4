//! `cuvec-new update`: brings a package that exists up to this version, or to other answers.
//!
//! Three-way merge: base from the lock, ours from disk, theirs from the templates.

mod copy;
mod owner;
mod package;
mod renamed;
mod steps;

use std::path::Path;

use crate::answers::{Answers, Record};
use crate::args::Update;
use crate::catalog::Catalog;
use crate::disk::{try_write, write};
use crate::error::{Error, Result};
use crate::package::{Plan, Rendered, lock, render};
use crate::tell::{Changes, What, told};
use crate::text::Edited;
use crate::wording::quote;
use package::Package;
use steps::Steps;

/// Updates the package, or says what an update would do.
pub fn run(args: &Update, catalog: &Catalog, quiet: bool) -> Result<()> {
    update(args, catalog, quiet).map_err(|error| match error {
        Error::Print(_) => error,
        error => Error::Update(error.into()),
    })
}

fn update(args: &Update, catalog: &Catalog, quiet: bool) -> Result<()> {
    let package = Package::open(&args.path)?;
    let answers = Answers::of_record(&package.record, &args.said(), catalog)?;
    let files = render(&Plan::new(&answers)?, &answers)?;
    let steps = steps(&package, &files)?;
    let report = Report {
        changes: Changes {
            name: answers.name.to_string(),
            path: package.place.path.display().to_string(),
            from: package.record.version.clone(),
            to: env!("CARGO_PKG_VERSION"),
            changes: steps.changes,
        },
        args,
        quiet,
    };
    if args.only_looks() {
        try_write(&steps.write, &package.place)?;
        report.print(false)?;
        return match args.check && !report.changes.are_none() {
            true => Err(outdated(&package.place.path, args)),
            false => Ok(()),
        };
    }
    if !report.changes.are_none() {
        package.check_committed(&steps.write, &steps.remove)?;
        write(&steps.write, &steps.remove, &package.place, None)?;
    }
    told(report.print(true).and_then(|()| report.next(&package)))?;
    match report.changes.with(What::Conflict) {
        files if files.is_empty() => Ok(()),
        files => Err(conflicts(&package.place.path, &files)),
    }
}

fn outdated(path: &Path, args: &Update) -> Error {
    let command = format!("cuvec-new update {}{}", quote(path), args.changes());
    Error::failed(
        format!("`{}` is not up to date", path.display()),
        format!("update it: `{command}`"),
    )
}

/// All was written, with markers.
fn conflicts(path: &Path, files: &[String]) -> Error {
    let (quoted, files) = (quote(path), files.join("\n  "));
    Error::failed(
        format!("your edits and the new text differ in the same lines, marked in:\n  {files}"),
        format!(
            "choose at each `<<<<<<<` mark, then commit; to see what is new: `git -C {quoted} diff`"
        ),
    )
}

fn steps(package: &Package, files: &[Rendered]) -> Result<Steps> {
    let mut steps = Steps::default();
    owner::steps(package, files, &mut steps)?;
    copy::steps(package, &mut steps)?;
    // These are always the new ones.
    for file in files {
        if [Record::PATH, lock::PATH].contains(&file.path.as_str()) {
            let old = package.text(&file.path)?.map(String::into_bytes);
            let edited = old.as_deref().map(Edited::new);
            let new = edited.map_or(file.contents.to_vec(), |it| it.replaced_by(&file.contents));
            steps.replace(&file.path, old, &new);
        }
    }
    match steps.problems.is_empty() {
        true => Ok(steps),
        false => Err(package.blocked(steps.problems)),
    }
}

struct Report<'a> {
    changes: Changes,
    args: &'a Update,
    quiet: bool,
}

impl Report<'_> {
    fn print(&self, written: bool) -> Result<()> {
        if self.args.diff {
            self.changes.diff()
        } else if self.args.json {
            self.changes.json()
        } else if self.quiet {
            Ok(())
        } else {
            self.changes.list(written)
        }
    }

    fn next(&self, package: &Package) -> Result<()> {
        match self.quiet || self.args.json || self.changes.are_none() {
            true => Ok(()),
            false => self.changes.next(package.history.is_some()),
        }
    }
}
