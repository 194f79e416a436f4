//! The package that is updated, as it is.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use semver::Version;

use crate::answers::Record;
use crate::disk::{Destination, Existing, History, check_free, existing, history};
use crate::error::{Error, Result, first};
use crate::package::Rendered;
use crate::package::lock::{self, Made};
use crate::wording::quote;

pub struct Package {
    pub place: Destination,
    pub record: Record,
    /// Files as they were made; none in packages from before there were locks.
    pub lock: Option<BTreeMap<String, Made>>,
    /// If git keeps one.
    pub history: Option<History>,
}

impl Package {
    /// Fails for a folder that is none, and for a package that is newer than this program.
    pub fn open(path: &Path) -> Result<Self> {
        let place = Destination::forced(path);
        // Before all else: a run that was killed may have put the record aside.
        check_free(&place)?;
        let record = record(&place)?;
        let lock = text(&place, lock::PATH)?.map(|text| lock::parse(&text));
        let lock = lock.transpose();
        let lock = lock.map_err(|problem| broken(&place, lock::PATH, problem))?;
        let history = history(&place.path, Record::PATH).map_err(|it| git(&place, it))?;
        Ok(Self {
            place,
            record,
            lock,
            history,
        })
    }

    pub fn file(&self, path: &str) -> Result<Existing> {
        existing(&self.place.path, path)
    }

    pub fn text(&self, path: &str) -> Result<Option<String>> {
        text(&self.place, path)
    }

    pub fn blocked(&self, problems: Vec<String>) -> Error {
        blocked(&self.place, problems)
    }

    /// Checks that changes are committed, so that they are not lost and an update can be seen.
    pub fn check_committed(&self, write: &[Rendered], remove: &[String]) -> Result<()> {
        let Some(history) = &self.history else {
            return Ok(());
        };
        let touched =
            |path: &String| remove.contains(path) || write.iter().any(|file| file.path == *path);
        let uncommitted = history.uncommitted().map_err(|it| git(&self.place, it))?;
        let files = uncommitted
            .into_iter()
            .filter(|file| !file.untracked || touched(&file.path));
        let files: Vec<_> = files.map(|file| file.path).collect();
        match files.is_empty() {
            true => Ok(()),
            false => Err(not_committed(&self.place.path, &files)),
        }
    }

    /// The newest text of a file in git that is as `wanted` says.
    pub fn committed(&self, path: &str, wanted: impl Fn(&[u8]) -> bool) -> Result<Option<Vec<u8>>> {
        let Some(history) = &self.history else {
            return Ok(None);
        };
        let versions = history.versions(path);
        for version in versions.map_err(|it| git(&self.place, it))? {
            let version = version.map_err(|it| git(&self.place, it))?;
            if wanted(&version) {
                return Ok(Some(version));
            }
        }
        Ok(None)
    }
}

fn record(place: &Destination) -> Result<Record> {
    let Some(text) = text(place, Record::PATH)? else {
        let hint = "give the folder of a package: `cuvec-new update PATH`";
        return Err(Error::no_record(&place.path, hint));
    };
    let broken = |problem| broken(place, Record::PATH, problem);
    let record = Record::parse(&text).map_err(broken)?;
    if let Some(version) = &record.version {
        let parse = |version: &str| Version::parse(version).map_err(|it| broken(it.to_string()));
        if parse(version)? > parse(env!("CARGO_PKG_VERSION"))? {
            let (path, own) = (place.path.display(), env!("CARGO_PKG_VERSION"));
            return Err(Error::failed(
                format!("`{path}` was made by cuvec-new {version}, and this is {own}"),
                "install that version or a later one: downgrading is not supported",
            ));
        }
    }
    Ok(record)
}

/// A file about how the package was made.
fn text(place: &Destination, path: &str) -> Result<Option<String>> {
    let text = existing(&place.path, path)?.text(path);
    text.map_err(|problem| blocked(place, vec![problem]))
}

fn blocked(place: &Destination, problems: Vec<String>) -> Error {
    Error::Blocked {
        path: place.path.clone(),
        problems,
    }
}

fn broken(place: &Destination, path: &str, problem: String) -> Error {
    Error::Record {
        path: place.path.join(path),
        problem,
    }
}

fn git(place: &Destination, source: io::Error) -> Error {
    let (path, quoted) = (place.path.display(), quote(&place.path));
    Error::failed(
        format!("failed to run git in `{path}`: {source}"),
        format!("nothing was written; let `git -C {quoted} status` work first"),
    )
}

fn not_committed(path: &Path, files: &[String]) -> Error {
    let (shown, quoted) = (path.display(), quote(path));
    let files = first(files).join("\n  ");
    Error::failed(
        format!("`{shown}` has uncommitted changes:\n  {files}"),
        format!(
            "commit them, or put them aside: `git -C {quoted} stash push --include-untracked -- .`"
        ),
    )
}
