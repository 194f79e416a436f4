use std::cell::Cell;
use std::collections::BTreeMap;

use tempfile::TempDir;

use super::*;

/// A package and a destination that is like it in part.
struct Folders {
    package: TempDir,
    destination: TempDir,
    workspace: TempDir,
}

const OUTDATED: [&str; 3] = ["gone/deep/a", "gone/deep/b", "kept/c"];

impl Folders {
    fn new() -> Self {
        let new = |path| (path, "new");
        let old = |path| (path, "old");
        Self {
            package: folder(&["a", "b", "x/b", "x/y/d", "y/c", "z"].map(new)),
            destination: folder(&["a", "kept/other", "x/b", "x/other", "x/y/d", "z"].map(old))
                .with(&OUTDATED.map(old)),
            workspace: tempfile::tempdir().unwrap(),
        }
    }

    fn merge(&self, check: &dyn Fn() -> Result<()>) -> Result<()> {
        let merge = Merge {
            package: self.package.path(),
            destination: self.destination.path(),
            old: &self.workspace.path().join("old"),
            outdated: &OUTDATED.map(str::to_owned),
            check,
        };
        merge.run()
    }

    fn state(&self) -> [BTreeMap<PathBuf, String>; 3] {
        [&self.package, &self.destination, &self.workspace].map(|it| state(it.path()))
    }
}

trait With {
    fn with(self, files: &[(&str, &str)]) -> Self;
}

impl With for TempDir {
    fn with(self, files: &[(&str, &str)]) -> Self {
        for (path, contents) in files {
            let path = self.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        self
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    tempfile::tempdir().unwrap().with(files)
}

/// All files of a folder, and its empty folders.
fn state(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let below = state(&path);
            if below.is_empty() {
                found.insert(path, "empty".to_owned());
            }
            found.extend(below);
        } else {
            let contents = fs::read_to_string(&path).unwrap();
            found.insert(path, contents);
        }
    }
    found
}

#[test]
fn a_failure_at_any_move_puts_everything_back() {
    for moves in 0.. {
        let folders = Folders::new();
        let before = folders.state();
        let left = Cell::new(moves);
        let check = || match left.get() {
            0 => Err(Error::Interrupted { hint: None }),
            n => {
                left.set(n - 1);
                Ok(())
            }
        };
        let Err(error) = folders.merge(&check) else {
            assert_eq!(moves, 13, "3 to remove, 6 to add, 4 to replace");
            return;
        };
        assert!(matches!(error, Error::Interrupted { .. }), "{error}");
        assert_eq!(folders.state(), before, "after {moves} moves");
    }
}

#[test]
fn an_obstacle_puts_everything_back() {
    let folders = Folders::new();
    fs::remove_file(folders.destination.path().join("z")).unwrap();
    let destination = folders.destination.with(&[("z/file", "old")]);
    let folders = Folders {
        destination,
        ..folders
    };
    let before = folders.state();
    let error = folders.merge(&|| Ok(())).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Io {
                action: "replace",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(folders.state(), before);
}

#[test]
fn what_cannot_be_put_back_is_kept() {
    let folders = Folders::new();
    let check = || {
        let lost = folders.package.path().join("x");
        match state(folders.destination.path())
            .values()
            .any(|it| it == "new")
        {
            true => {
                // The file of this name that was moved first cannot go back.
                fs::remove_dir_all(lost).unwrap();
                fs::create_dir(folders.destination.path().join("gone/deep/a")).unwrap();
                Err(Error::Interrupted { hint: None })
            }
            false => Ok(()),
        }
    };
    let error = folders.merge(&check).unwrap_err();
    let Error::NotUndone { old, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(fs::read_to_string(old.join("gone/deep/a")).unwrap(), "old");
    let destination = folders.destination.path();
    assert_eq!(
        fs::read_to_string(destination.join("gone/deep/b")).unwrap(),
        "old"
    );
    assert_eq!(fs::read_to_string(destination.join("a")).unwrap(), "old");
}
