//! Two edits of one text.

use diffy::{ConflictStyle, IncompleteHunkStyle, MergeOptions};

use crate::package::lock::Made;

/// An owner's file on disk, compared and merged with line ends as they are in templates.
pub struct Edited<'a> {
    contents: &'a [u8],
    /// With `\n` instead of `\r\n`, if every line ends so: then an editor or git has changed them, not the owner.
    unix: Option<Vec<u8>>,
}

/// A text with the edits of both.
#[derive(Debug, PartialEq, Eq)]
pub struct Merged {
    pub contents: Vec<u8>,
    /// Some edits are of the same lines: markers are around them.
    pub conflict: bool,
}

impl<'a> Edited<'a> {
    pub fn new(contents: &'a [u8]) -> Self {
        let ends = |end: &[u8]| contents.windows(end.len()).filter(|it| *it == end).count();
        let windows = ends(b"\r\n");
        let is_windows = windows > 0 && windows == ends(b"\n");
        let text = std::str::from_utf8(contents).ok().filter(|_| is_windows);
        Self {
            contents,
            unix: text.map(|text| text.replace("\r\n", "\n").into_bytes()),
        }
    }

    pub fn is_as_made(&self, base: &Made) -> bool {
        base.is(self.contents) || self.unix.as_ref().is_some_and(|unix| base.is(unix))
    }

    pub fn is(&self, new: &[u8]) -> bool {
        self.contents == new || self.unix.as_ref().is_some_and(|unix| unix == new)
    }

    /// A new text with the line ends that this one has.
    pub fn replaced_by(&self, new: &[u8]) -> Vec<u8> {
        match (&self.unix, std::str::from_utf8(new)) {
            (Some(_), Ok(new)) if !new.contains('\r') => new.replace('\n', "\r\n").into_bytes(),
            _ => new.to_vec(),
        }
    }

    /// With what became of the base in `new`; none unless all of them are text.
    pub fn merged(&self, base: &Made, new: &[u8]) -> Option<Merged> {
        let Made::Text(base) = base else {
            return None;
        };
        let ours = std::str::from_utf8(self.unix.as_deref().unwrap_or(self.contents)).ok()?;
        let theirs = std::str::from_utf8(new).ok()?;
        let mut options = MergeOptions::new();
        options.set_conflict_style(ConflictStyle::Diff3);
        options.set_incomplete_hunk_style(IncompleteHunkStyle::Git);
        let merged = options.merge(base, ours, theirs);
        let conflict = merged.is_err();
        let merged = merged.unwrap_or_else(|with_markers| with_markers);
        Some(Merged {
            contents: self.replaced_by(merged.as_bytes()),
            conflict,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "a\nb\nc\nd\ne\n";

    #[test]
    fn a_new_text_gets_the_line_ends_of_the_old_one() {
        let replaced =
            |old: &str, new: &str| Edited::new(old.as_bytes()).replaced_by(new.as_bytes());
        assert_eq!(replaced("a\r\n", "b\nc\n"), b"b\r\nc\r\n");
        assert_eq!(replaced("a\r\n", "b\r\nc\n"), b"b\r\nc\n");
        assert_eq!(replaced("a\n", "b\nc\n"), b"b\nc\n");
    }

    #[test]
    fn line_ends_are_no_edit() {
        let made = Made::Text(BASE.to_owned());
        let windows = BASE.replace('\n', "\r\n");
        let edited = Edited::new(windows.as_bytes());
        assert!(edited.is_as_made(&made) && edited.is(BASE.as_bytes()));
        assert_eq!(edited.replaced_by(b"x\ny\n"), b"x\r\ny\r\n");
        let some = BASE.replacen('\n', "\r\n", 1);
        let edited = Edited::new(some.as_bytes());
        assert!(!edited.is_as_made(&made) && !edited.is(BASE.as_bytes()));
        assert_eq!(edited.replaced_by(b"x\ny\n"), b"x\ny\n");
    }
}
