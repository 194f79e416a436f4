//! The package that a destination holds already, as its record tells.

use std::fs;
use std::io;
use std::path::Path;

use crate::answers::{Answers, Said};
use crate::catalog::{Catalog, Kind};
use crate::disk::Destination;
use crate::error::{Error, Result};
use crate::package::{Plan, Rendered, render};

/// How a package was made: the answers, in the package itself.
pub const RECORD: &str = ".cuvec-new.toml";

/// Files of the package in the destination that the new one has not: left there, the two would not build.
///
/// They are as they were made; an error names those that are not.
pub fn outdated(
    destination: &Destination,
    catalog: &Catalog,
    new: &[Rendered],
) -> Result<Vec<String>> {
    let record = destination.path.join(RECORD);
    if !destination.force {
        // Then a folder that holds anything is refused.
        return Ok(Vec::new());
    }
    let text = match fs::read_to_string(&record) {
        Ok(text) => text,
        Err(error) if missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(Error::io("read", record, error)),
    };
    let broken = |problem: String| Error::Record {
        path: record.clone(),
        problem,
    };
    let said = Said::from_record(&text).map_err(broken)?;
    let answers = Answers::new(&said, catalog).map_err(|error| broken(error.to_string()))?;
    let made = render(&Plan::new(&answers)?, &answers)?;
    let only_there = |it: &Rendered| !new.iter().any(|new| new.path == it.path);
    let mut outdated = Vec::new();
    let mut changed = Vec::new();
    for file in made.into_iter().filter(only_there) {
        match state(&destination.path, &file) {
            State::Gone => {}
            State::AsMade => outdated.push(file.path),
            State::Changed => changed.push(file.path),
        }
    }
    match changed.as_slice() {
        [] => Ok(outdated),
        _ => Err(Error::Changed {
            path: destination.path.clone(),
            how: how(&answers),
            files: changed,
        }),
    }
}

/// No record at the destination, or no destination.
fn missing(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    kinds.contains(&error.kind())
}

fn how(answers: &Answers) -> String {
    let [bridge, kernels] = [Kind::Bridge, Kind::Kernels].map(|it| answers.layers.get(it).name());
    format!("with bridge `{bridge}` and kernels `{kernels}`")
}

enum State {
    Gone,
    AsMade,
    Changed,
}

/// Links count as changes: what they lead to is not the package's.
fn state(folder: &Path, file: &Rendered) -> State {
    let ends = file.path.match_indices('/').map(|(end, _)| end);
    for end in ends.chain([file.path.len()]) {
        match fs::symlink_metadata(folder.join(&file.path[..end])) {
            Err(_) => return State::Gone,
            Ok(found) if found.is_symlink() => return State::Changed,
            Ok(_) => {}
        }
    }
    match fs::read(folder.join(&file.path)) {
        Ok(contents) if contents == *file.contents => State::AsMade,
        _ => State::Changed,
    }
}
