//! `cuvec-new NAME`: makes a package, or shows what would be made.

use std::collections::BTreeMap;

use crate::answers::Answers;
use crate::args::Args;
use crate::ask::{self, PromptResult, prompt_for};
use crate::catalog::Catalog;
use crate::disk::{Commit, Destination, try_write, write};
use crate::error::Result;
use crate::package::{Plan, Rendered, render};
use crate::previous::outdated;
use crate::tell::{Preview, Report, told};
use crate::trial::Trial;

/// The files of a package by their paths, in memory; nobody is asked.
pub fn files(args: &Args, catalog: &Catalog) -> Result<BTreeMap<String, Vec<u8>>> {
    let answers = Answers::new(&args.said, catalog)?;
    let file = |it: Rendered| (it.path, it.contents.into_owned());
    Ok(rendered(&answers)?.into_iter().map(file).collect())
}

/// Makes a package.
pub fn make(args: &Args, catalog: &Catalog) -> Result<()> {
    let asked = asked(args, catalog)?;
    let answers = Answers::new(&asked.said, catalog)?;
    let destination = destination(args, &answers);
    let files = rendered(&answers)?;
    let outdated = outdated(&destination, catalog, &answers, &files)?;
    // Before anything is written: no Python means no package either.
    let trial = asked
        .r#try
        .then(|| Trial::prepare(&destination.path, answers.python, args.quiet))
        .transpose()?;
    let commit = (!args.no_git).then(|| commit(&answers));
    let written = write(&files, &outdated, &destination, commit.as_ref())?;
    let tests = trial.map(|trial| trial.run()).transpose()?;
    let report = Report::new(&answers, &destination, files.len(), &written, tests);
    if args.quiet {
        report.warn(true);
        return Ok(());
    }
    told(report.print())
}

/// Shows what `make` would make.
pub fn preview(args: &Args, catalog: &Catalog) -> Result<()> {
    let answers = Answers::new(&asked(args, catalog)?.said, catalog)?;
    let destination = destination(args, &answers);
    let files = rendered(&answers)?;
    let outdated = outdated(&destination, catalog, &answers, &files)?;
    let found = try_write(&files, &destination)?;
    Preview::new(&answers, &destination, &files, &found, &outdated).print(args.json)
}

/// Asks for what the options leave open, if anybody is there to ask.
fn asked(args: &Args, catalog: &Catalog) -> Result<PromptResult> {
    args.check_command()?;
    match prompt_for(args)? {
        Some(mut prompt) => ask::ask_all(args, catalog, &mut prompt),
        None => Ok(PromptResult {
            said: args.said.clone(),
            r#try: args.r#try,
        }),
    }
}

fn destination(args: &Args, answers: &Answers) -> Destination {
    let name = answers.name.distribution();
    Destination::new(args.output.as_deref(), name, args.force)
}

fn rendered<'a>(answers: &Answers<'a>) -> Result<Vec<Rendered<'a>>> {
    render(&Plan::new(answers)?, answers)
}

fn commit(answers: &Answers) -> Commit {
    let version = env!("CARGO_PKG_VERSION");
    Commit {
        message: format!("Scaffold {} with cuvec-new {version}", answers.name),
        author: answers.author.clone(),
        email: answers.email.clone(),
    }
}
