//! `cuvec-new NAME`: makes a package, or shows what would be made.

use std::collections::BTreeMap;

use crate::answers::{Answers, config};
use crate::args::{Args, New};
use crate::ask::{self, PromptResult, prompt_for};
use crate::catalog::Catalog;
use crate::disk::{
    Commit, Destination, Existing, Repository, Written, existing, history, try_write, write,
};
use crate::error::Result;
use crate::package::{Plan, Rendered, render};
use crate::previous::{check_kept, enclosing_package, outdated};
use crate::tell::{Preview, Report, inside, note, told};
use crate::text::Edited;
use crate::trial::Trial;

/// The files of a package by their paths, in memory; nobody is asked.
pub fn files(args: &Args, catalog: &Catalog) -> Result<BTreeMap<String, Vec<u8>>> {
    let answers = Answers::new(&args.package().said, catalog)?;
    let file = |it: Rendered| (it.path, it.contents.into_owned());
    Ok(rendered(&answers)?.into_iter().map(file).collect())
}

pub fn make(args: &New, catalog: &Catalog) -> Result<()> {
    let asked = asked(args, catalog)?;
    let answers = Answers::new(&asked.said, catalog)?;
    let destination = destination(args, &answers);
    let mut files = rendered(&answers)?;
    let outdated = outdated(&destination, catalog, &answers, &files)?;
    check_kept(&destination, catalog, &files)?;
    if destination.force {
        keep_line_ends(&mut files, &destination)?;
    }
    // Before anything is written: no Python means no package either.
    let trial = asked
        .r#try
        .then(|| Trial::prepare(&destination.path, answers.python, args.quiet))
        .transpose()?;
    let commit = (!args.no_git).then(|| commit(&answers));
    let written = write(&files, &outdated, &destination, commit.as_ref())?;
    let tests = trial.map(|trial| trial.run()).transpose()?;
    let report = Report {
        answers: &answers,
        author_is_default: asked.said.author.is_none() || asked.said.email.is_none(),
        destination: &destination,
        files: &files,
        written: &written,
        around: enclosing_package(&destination),
        ignored: ignored(&destination, &files, &written),
        tests,
        verbose: args.verbose,
    };
    if args.quiet {
        report.warn(true);
        return Ok(());
    }
    told(report.print())
}

/// Shows what `make` would make, and fails where it would.
pub fn preview(args: &New, catalog: &Catalog) -> Result<()> {
    let answers = Answers::new(&asked(args, catalog)?.said, catalog)?;
    let destination = destination(args, &answers);
    let files = rendered(&answers)?;
    let forced = Destination {
        force: true,
        ..destination.clone()
    };
    let outdated = outdated(&forced, catalog, &answers, &files)?;
    let found = try_write(&files, &forced)?;
    Preview::new(&answers, &destination, &files, &found, &outdated).print(args.json)?;
    if let Some(package) = enclosing_package(&destination) {
        note(inside(&package));
    }
    check_kept(&destination, catalog, &files)?;
    destination.survey(&files).map(drop)
}

/// Asks for what the options and the user's settings leave open, if anybody is there to ask.
fn asked(args: &New, catalog: &Catalog) -> Result<PromptResult> {
    let mut args = args.clone();
    args.said = config(catalog)?.overridden_by(&args.said);
    match prompt_for(&args)? {
        Some(mut prompt) => ask::ask_all(&args, catalog, &mut prompt),
        None => Ok(PromptResult {
            said: args.said,
            r#try: args.r#try,
        }),
    }
}

fn destination(args: &New, answers: &Answers) -> Destination {
    let name = answers.name.distribution();
    Destination::new(args.output.as_deref(), name, args.force)
}

fn rendered<'a>(answers: &Answers<'a>) -> Result<Vec<Rendered<'a>>> {
    render(&Plan::new(answers)?, answers)
}

/// Those that git or an editor has given to the files that are there.
fn keep_line_ends(files: &mut [Rendered], destination: &Destination) -> Result<()> {
    for file in files {
        if let Existing::File(old) = existing(&destination.path, &file.path)? {
            file.contents = Edited::new(&old).replaced_by(&file.contents).into();
        }
    }
    Ok(())
}

/// Files that the repository around the package would leave out, as templates of `.gitignore` for CUDA have it.
fn ignored(destination: &Destination, files: &[Rendered], written: &Written) -> Vec<String> {
    if !matches!(written.repository, Repository::Around(_)) {
        return Vec::new();
    }
    // The package is there: a git that fails has nothing to say of it.
    let history = history(&destination.path, ".").ok().flatten();
    let ignored = history.and_then(|it| it.ignored().ok()).unwrap_or_default();
    let mut ignored = ignored.into_iter();
    let is_own = |path: &String| files.iter().any(|it| it.path == *path);
    ignored.by_ref().filter(is_own).collect()
}

fn commit(answers: &Answers) -> Commit {
    let version = env!("CARGO_PKG_VERSION");
    Commit {
        message: format!("Scaffold {} with cuvec-new {version}", answers.name),
        author: answers.author.clone(),
        email: answers.email.clone(),
    }
}
