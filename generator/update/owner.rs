//! Files of the templates: what nobody edited is replaced, and edits are merged. Those in `runtime/` are always replaced.

use std::collections::BTreeMap;

use super::package::Package;
use super::renamed::{New, renamed};
use super::steps::Steps;
use crate::disk::Existing;
use crate::error::Result;
use crate::package::lock::{self, Made};
use crate::package::{FOLDER, Rendered};
use crate::tell::What;
use crate::text::{Edited, Merged};

/// How the PTX of kernels in Rust begins, which builds write. Nobody edits it.
const COMPILED: &[u8] = b"// SHA-256 of the sources: ";

/// Ends the name of a new text beside one that it cannot be merged with.
const BESIDE: &str = ".new";

pub fn steps(package: &Package, files: &[Rendered], steps: &mut Steps) -> Result<()> {
    let own = files.iter().filter(|file| lock::covers(&file.path));
    let new = own.map(|file| (file.path.as_str(), &*file.contents));
    let mut half = Half { package, steps };
    let none = BTreeMap::new();
    let made = package.lock.as_ref().unwrap_or(&none);
    let (still, mut newly): (New, New) = new.partition(|(path, _)| made.contains_key(*path));
    for (path, base) in made {
        match still.get(path.as_str()) {
            Some(new) => half.still_made(path, base, new)?,
            None => half.no_longer_made(path, base, &mut newly)?,
        }
    }
    newly
        .into_iter()
        .try_for_each(|(path, new)| half.newly_made(path, new))
}

struct Half<'a> {
    package: &'a Package,
    steps: &'a mut Steps,
}

impl Half<'_> {
    fn still_made(&mut self, path: &str, base: &Made, new: &[u8]) -> Result<()> {
        if path.starts_with(FOLDER) {
            return self.replaced(path, new);
        }
        if base.is(new) {
            return Ok(());
        }
        match self.package.file(path)? {
            Existing::Nothing => self.steps.tell(What::LeftOut, path),
            Existing::File(old) => self.edited(path, base, old, new)?,
            other => self.steps.block(path, other),
        }
        Ok(())
    }

    /// A file that no one edits.
    fn replaced(&mut self, path: &str, new: &[u8]) -> Result<()> {
        match self.package.file(path)? {
            Existing::Nothing => self.steps.replace(path, None, new),
            Existing::File(old) => self.steps.replace(path, Some(old), new),
            other => self.steps.block(path, other),
        }
        Ok(())
    }

    fn edited(&mut self, path: &str, base: &Made, old: Vec<u8>, new: &[u8]) -> Result<()> {
        let edited = Edited::new(&old);
        if edited.is(new) {
            return Ok(());
        }
        if edited.is_as_made(base) || is_compiled(path, &old) {
            let new = edited.replaced_by(new);
            self.steps.write(What::Changed, path, Some(old), new);
            return Ok(());
        }
        match edited.merged(base, new) {
            Some(merged) => {
                self.steps
                    .write(what(&merged), path, Some(old), merged.contents);
                Ok(())
            }
            None => self.beside(path, new),
        }
    }

    fn no_longer_made(&mut self, path: &str, base: &Made, newly: &mut New) -> Result<()> {
        let old = match self.package.file(path)? {
            Existing::Nothing => {
                if let Some(to) = renamed(base, newly) {
                    newly.remove(to);
                    self.steps.tell(What::LeftOut, to);
                }
                return Ok(());
            }
            Existing::File(old) => old,
            _ => {
                self.steps.tell(What::Kept, path);
                return Ok(());
            }
        };
        let edited = Edited::new(&old);
        if edited.is_as_made(base) || is_compiled(path, &old) || path.starts_with(FOLDER) {
            self.steps.remove(path, old);
        } else if let Some(to) = renamed(base, newly)
            && let Some(merged) = edited.merged(base, newly[to])
            && self.package.file(to)? == Existing::Nothing
        {
            newly.remove(to);
            self.steps.write(what(&merged), to, None, merged.contents);
            self.steps.remove(path, old);
        } else {
            self.steps.tell(What::Kept, path);
        }
        Ok(())
    }

    fn newly_made(&mut self, path: &str, new: &[u8]) -> Result<()> {
        if path.starts_with(FOLDER) {
            return self.replaced(path, new);
        }
        if let Some(kernel) = kernel_of(path)
            && self
                .package
                .lock
                .iter()
                .any(|made| made.contains_key(&kernel))
            && self.package.file(&kernel)? == Existing::Nothing
        {
            return Ok(()); // a deleted kernel is reported, if there is news of it
        }
        match self.package.file(path)? {
            Existing::Nothing if self.folder_was_deleted(path)? => {
                self.steps.tell(What::LeftOut, path);
            }
            Existing::Nothing => self.steps.write(What::Added, path, None, new.to_vec()),
            Existing::File(old) if Edited::new(&old).is(new) => {}
            Existing::File(old) if is_compiled(path, &old) => {
                self.steps.replace(path, Some(old), new);
            }
            Existing::File(_) => self.beside(path, new)?,
            other => self.steps.block(path, other),
        }
        Ok(())
    }

    /// Checks whether the folder of a file was made, and its owner deleted all that was made in it.
    fn folder_was_deleted(&self, path: &str) -> Result<bool> {
        let Some((folder, _)) = path.rsplit_once('/') else {
            return Ok(false);
        };
        let made = self.package.lock.iter().flatten();
        let mut inside = made
            .filter(|(path, _)| path.rsplit_once('/').is_some_and(|it| it.0 == folder))
            .peekable();
        if inside.peek().is_none() {
            return Ok(false);
        }
        for (path, _) in inside {
            if self.package.file(path)? != Existing::Nothing {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn beside(&mut self, path: &str, new: &[u8]) -> Result<()> {
        let path = format!("{path}{BESIDE}");
        match self.package.file(&path)? {
            Existing::Nothing => self.steps.write(What::Beside, &path, None, new.to_vec()),
            Existing::File(old) if Edited::new(&old).is(new) => {}
            other => self.steps.block(&path, other),
        }
        Ok(())
    }
}

/// The kernel whose PTX a path is for.
fn kernel_of(path: &str) -> Option<String> {
    let name = path.strip_prefix("kernels/ptx/")?.strip_suffix(".ptx")?;
    Some(format!("kernels/{name}.rs"))
}

fn is_compiled(path: &str, contents: &[u8]) -> bool {
    path.ends_with(".ptx") && contents.starts_with(COMPILED)
}

fn what(merged: &Merged) -> What {
    match merged.conflict {
        true => What::Conflict,
        false => What::Merged,
    }
}
