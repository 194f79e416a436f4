//! The owner's half: what nobody edited is replaced, and edits are merged.

use std::collections::BTreeMap;

use super::package::Package;
use super::steps::Steps;
use super::text::Edited;
use crate::disk::Existing;
use crate::error::Result;
use crate::package::Rendered;
use crate::package::lock::{self, Made};
use crate::tell::What;

/// Ends the name of a new text beside one that it cannot be merged with.
const BESIDE: &str = ".new";

/// New texts by their paths.
type New<'a> = BTreeMap<&'a str, &'a [u8]>;

pub fn steps(package: &Package, files: &[Rendered], steps: &mut Steps) -> Result<()> {
    let own = files.iter().filter(|file| lock::covers(&file.path));
    let mut new: New = own
        .map(|file| (file.path.as_str(), &*file.contents))
        .collect();
    let mut half = Half { package, steps };
    for (path, base) in package.lock.iter().flatten() {
        match new.remove(path.as_str()) {
            Some(new) => half.still_made(path, base, new)?,
            None => half.no_longer_made(path, base, &mut new)?,
        }
    }
    new.into_iter()
        .try_for_each(|(path, new)| half.newly_made(path, new))
}

struct Half<'a> {
    package: &'a Package,
    steps: &'a mut Steps,
}

impl Half<'_> {
    fn still_made(&mut self, path: &str, base: &Made, new: &[u8]) -> Result<()> {
        if base.is(new) {
            return Ok(());
        }
        match self.package.file(path)? {
            Existing::Nothing => self.steps.tell(What::LeftOut, path),
            Existing::File(old) => self.edited(path, base, &old, path, new)?,
            other => self.steps.block(path, other),
        }
        Ok(())
    }

    /// A text that was made as `base` and became `old`; its new one is at `to`.
    fn edited(&mut self, path: &str, base: &Made, old: &[u8], to: &str, new: &[u8]) -> Result<()> {
        let edited = Edited::new(old);
        let (what, contents) = if path == to && edited.is(new) {
            return Ok(());
        } else if edited.is_as_made(base) {
            (What::Changed, edited.replaced_by(new))
        } else if let Some(merged) = edited.merged(base, new) {
            let what = if merged.conflict {
                What::Conflict
            } else {
                What::Merged
            };
            (what, merged.contents)
        } else {
            return self.beside(path, new);
        };
        self.steps
            .write(what, to, (path == to).then(|| old.to_vec()), contents);
        Ok(())
    }

    fn no_longer_made(&mut self, path: &str, base: &Made, new: &mut New) -> Result<()> {
        match self.package.file(path)? {
            Existing::Nothing => {
                if let Some((to, _)) = self.renamed(base, new)? {
                    self.steps.tell(What::LeftOut, &to);
                }
            }
            Existing::File(old) if Edited::new(&old).is_as_made(base) => {
                self.steps.remove(path, old);
            }
            Existing::File(old) => match self.renamed(base, new)? {
                Some((to, text)) => {
                    self.edited(path, base, &old, &to, text)?;
                    self.steps.remove(path, old);
                }
                None => self.steps.tell(What::Kept, path),
            },
            _ => self.steps.tell(What::Kept, path),
        }
        Ok(())
    }

    /// The new file that a file became, taken from those that are new: most of its lines are the same.
    fn renamed<'n>(&self, base: &Made, new: &mut New<'n>) -> Result<Option<(String, &'n [u8])>> {
        let Made::Text(base) = base else {
            return Ok(None);
        };
        let made = |path: &str| {
            self.package
                .lock
                .as_ref()
                .is_some_and(|it| it.contains_key(path))
        };
        let similar = |(path, text): (&&str, &&[u8])| {
            let likeness = likeness(base, std::str::from_utf8(text).ok()?);
            (likeness > 0.6 && !made(path)).then(|| (likeness, path.to_string()))
        };
        let nearest = new
            .iter()
            .filter_map(similar)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, path)) = nearest else {
            return Ok(None);
        };
        match self.package.file(&path)? {
            Existing::Nothing => Ok(new.remove(path.as_str()).map(|text| (path, text))),
            _ => Ok(None),
        }
    }

    fn newly_made(&mut self, path: &str, new: &[u8]) -> Result<()> {
        match self.package.file(path)? {
            Existing::Nothing if self.folder_was_deleted(path)? => {
                self.steps.tell(What::LeftOut, path);
            }
            Existing::Nothing => self.steps.write(What::Added, path, None, new.to_vec()),
            Existing::File(old) if Edited::new(&old).is(new) => {}
            Existing::File(_) => self.beside(path, new)?,
            other => self.steps.block(path, other),
        }
        Ok(())
    }

    /// Whether the folder of a file was made, and its owner deleted all that was made in it.
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
            Existing::File(old) if old == new => {}
            other => self.steps.block(&path, other),
        }
        Ok(())
    }
}

/// The share of lines that two texts have in common.
fn likeness(a: &str, b: &str) -> f64 {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in a.lines() {
        *left.entry(line).or_default() += 1;
    }
    let mut common = 0;
    for line in b.lines() {
        if let Some(count) = left.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    let lines = a.lines().count() + b.lines().count();
    2.0 * f64::from(common) / (lines.max(1) as f64)
}
