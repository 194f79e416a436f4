//! The package that a destination holds already, as its record tells.

use std::path::{Path, PathBuf};

use crate::answers::{Answers, RawAnswers, Record};
use crate::catalog::{Catalog, Kind};
use crate::disk::{Destination, Existing, check_free, existing, history};
use crate::error::{Error, Result};
use crate::package::{Plan, Rendered, render};
use crate::text::Edited;
use crate::wording::quote;

/// Files of the package in the destination that the new one has not: left there, the two would not build.
///
/// They are as they were made; an error names those that are not.
pub fn outdated(
    destination: &Destination,
    catalog: &Catalog,
    asked: &Answers,
    new: &[Rendered],
) -> Result<Vec<String>> {
    if !destination.force {
        // Then a folder that holds anything is refused.
        return Ok(Vec::new());
    }
    let Some((answers, made)) = made(destination, catalog)? else {
        return Ok(Vec::new());
    };
    let only_there = |it: &Rendered| !new.iter().any(|new| new.path == it.path);
    let mut outdated = Vec::new();
    let mut changed = Vec::new();
    for file in made.into_iter().filter(only_there) {
        match existing(&destination.path, &file.path)? {
            Existing::Nothing => {}
            Existing::File(contents) if Edited::new(&contents).is(&file.contents) => {
                outdated.push(file.path)
            }
            // The target of a link does not belong to the package.
            _ => changed.push(file.path),
        }
    }
    match changed.as_slice() {
        [] => Ok(outdated),
        _ => Err(changed_since(&destination.path, &changed, &answers, asked)),
    }
}

/// The package in the destination as it was made, if there is one.
fn made<'a>(
    destination: &Destination,
    catalog: &'a Catalog,
) -> Result<Option<(Answers<'a>, Vec<Rendered<'a>>)>> {
    // A run that was killed may have put the record aside.
    check_free(destination)?;
    let Existing::File(text) = existing(&destination.path, Record::PATH)? else {
        return Ok(None);
    };
    let broken = |problem: String| Error::Record {
        path: destination.path.join(Record::PATH),
        problem,
    };
    let record = Record::parse(&String::from_utf8_lossy(&text)).map_err(broken)?;
    let answers = Answers::of_record(&record, &RawAnswers::default(), catalog);
    let answers = answers.map_err(|error| broken(error.to_string()))?;
    let made = render(&Plan::new(&answers)?, &answers)?;
    Ok(Some((answers, made)))
}

/// Fails for files that would be lost: they would be overwritten, are not as they were made, and no commit has them.
pub fn check_kept(destination: &Destination, catalog: &Catalog, new: &[Rendered]) -> Result<()> {
    if !destination.force {
        return Ok(());
    }
    let made = made(destination, catalog)?.map_or(Vec::new(), |it| it.1);
    check_saved(destination, &made, new)
}

/// Fails for files that `new` would overwrite, unless they are as in `made` or a commit has them.
pub fn check_saved(destination: &Destination, made: &[Rendered], new: &[Rendered]) -> Result<()> {
    let mut lost = Vec::new();
    for file in new {
        let Existing::File(contents) = existing(&destination.path, &file.path)? else {
            continue; // a link may be overwritten too, and its target stays
        };
        let own = Edited::new(&contents);
        let as_made = made.iter().find(|it| it.path == file.path);
        if !own.is(&file.contents) && !as_made.is_some_and(|it| own.is(&it.contents)) {
            lost.push(file.path.clone());
        }
    }
    if lost.is_empty() {
        return Ok(());
    }
    let path = destination.path.clone();
    let failed = |error| Error::io("ask git about", &path, error);
    if let Some(history) = history(&path, ".").map_err(failed)? {
        let committed = history.committed().map_err(failed)?;
        lost.retain(|it| !committed.contains(it));
    }
    match lost.as_slice() {
        [] => Ok(()),
        _ => Err(Error::failed(
            format!(
                "`--force` would overwrite files in `{}` that no commit has:\n  {}",
                path.display(),
                lost.join("\n  ")
            ),
            "commit them, or move them away",
        )),
    }
}

/// The package whose folder a destination lies in.
pub fn enclosing_package(destination: &Destination) -> Option<PathBuf> {
    let path = std::path::absolute(&destination.path).ok()?;
    let mut around = path.ancestors().skip(1);
    let package = around.find(|folder| folder.join(Record::PATH).is_file());
    package.map(Path::to_owned)
}

/// Options for those layers that are others than before.
fn options(made: &Answers, asked: &Answers) -> String {
    let option = |kind: Kind| {
        let name = |answers: &Answers| answers.layers.get(kind).name().to_owned();
        (name(made) != name(asked)).then(|| format!(" --{} {}", kind.folder(), name(asked)))
    };
    Kind::ALL.into_iter().filter_map(option).collect()
}

/// The error for files that the new package has not, and that are not as they were made.
fn changed_since(path: &Path, files: &[String], made: &Answers, asked: &Answers) -> Error {
    let [bridge, kernels] = [Kind::Bridge, Kind::Kernels].map(|it| made.layers.get(it).name());
    let (shown, files) = (path.display(), files.join("\n  "));
    // The options that make of it what was asked for.
    let command = format!("cuvec-new update {}{}", quote(path), options(made, asked));
    Error::failed(
        format!(
            "destination `{shown}` holds a package that was made with bindings `{bridge}` and kernels `{kernels}`, \
             with files that the new one has not and that were changed since:\n  {files}"
        ),
        format!("`{command}` keeps them; or make the package elsewhere with `--output DIR`"),
    )
}
