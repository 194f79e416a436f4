//! A change of a file as a patch.

use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use diffy::DiffOptions;

use super::print::{BOLD, print, styled};
use crate::error::Result;
use crate::wording::shown;

const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const PLACE: Style = AnsiColor::Cyan.on_default();

/// A patch in the form that `git apply` takes, of a file that may be new or gone.
pub fn patch(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<u8> {
    let name = |side: &str, contents: Option<&[u8]>| match contents {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let mode = match (old, new) {
        (None, _) => "new file mode 100644\n",
        (_, None) => "deleted file mode 100644\n",
        _ => "",
    };
    let mut options = DiffOptions::new();
    options.set_original_filename(name("a", old));
    options.set_modified_filename(name("b", new));
    let changes = options.create_patch_bytes(old.unwrap_or_default(), new.unwrap_or_default());
    let mut patch = format!("diff --git a/{path} b/{path}\n{mode}").into_bytes();
    // An empty file has no more to it than its name.
    if !changes.hunks().is_empty() {
        patch.extend(changes.to_bytes());
    }
    patch
}

/// Prints a patch: for eyes on a terminal, to the byte elsewhere.
pub fn print_patch(patch: &[u8]) -> Result<()> {
    let colour = anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    if !colour && !io::stdout().is_terminal() {
        return Ok(io::stdout().write_all(patch)?);
    }
    for line in String::from_utf8_lossy(patch).lines() {
        let style = match line.as_bytes() {
            [b'd' | b'n', ..] | [b'-', b'-', b'-', ..] | [b'+', b'+', b'+', ..] => BOLD,
            [b'+', ..] => ADDED,
            [b'-', ..] => REMOVED,
            [b'@', ..] => PLACE,
            _ => Style::new(),
        };
        print(styled(style, shown(line)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: Option<&str>, new: Option<&str>) -> String {
        String::from_utf8(patch("a", old.map(str::as_bytes), new.map(str::as_bytes))).unwrap()
    }

    #[test]
    fn files_come_change_and_go() {
        let head = "diff --git a/a b/a\n";
        let new = of(None, Some("x\n"));
        assert_eq!(
            new,
            format!("{head}new file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n")
        );
        let gone = of(Some("x\n"), None);
        assert_eq!(
            gone,
            format!("{head}deleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")
        );
        let changed = of(Some("x\n"), Some("y\n"));
        assert_eq!(
            changed,
            format!("{head}--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n")
        );
        assert_eq!(of(None, Some("")), format!("{head}new file mode 100644\n"));
    }
}
