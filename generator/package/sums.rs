//! `runtime/SHA256SUMS`: a line for each file of the runtime, as `sha256sum` prints it and in the order of `git ls-files`, by
//! which anybody sees whether one of them was edited, added or removed.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::rendered::{Rendered, insert};

/// The folder whose files have checksums; it names nothing of the package, so that they are the same in all packages.
pub const FOLDER: &str = "runtime/";

/// Where the checksums are.
pub const PATH: &str = "runtime/SHA256SUMS";

/// The files, sorted by path, and with them the checksums if any is the runtime's.
pub fn with_sums(mut files: Vec<Rendered>) -> Vec<Rendered> {
    let text = sums(&files);
    if text.is_empty() {
        return files;
    }
    insert(&mut files, Rendered::new(PATH, text.into_bytes()));
    files
}

/// A line for each file of the runtime; paths are those from its folder on.
fn sums(files: &[Rendered]) -> String {
    let line = |file: &Rendered| {
        let path = file.path.strip_prefix(FOLDER)?;
        Some(format!("{}  {path}\n", sum(&file.contents)))
    };
    files.iter().filter_map(line).collect()
}

/// The sum of a file, as `sha256sum` writes it.
pub fn sum(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksums of a package that is there, by the paths of the files in it.
pub fn parse(text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (sum, path) = line.split_once("  ")?;
        Some((format!("{FOLDER}{path}"), sum.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn files<'a>(pairs: &[(&str, &'a str)]) -> Vec<Rendered<'a>> {
        let file = |&(path, contents): &(&str, &'a str)| Rendered {
            path: path.to_owned(),
            contents: Cow::Borrowed(contents.as_bytes()),
        };
        pairs.iter().map(file).collect()
    }

    #[test]
    fn sums_match_sha256sum() {
        let files = files(&[
            ("a", "x"),
            ("runtime/B", "abc"),
            ("runtime/a/b", ""),
            ("z", "y"),
        ]);
        let files = with_sums(files);
        let paths: Vec<_> = files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["a", "runtime/B", PATH, "runtime/a/b", "z"]);
        assert_eq!(
            String::from_utf8_lossy(&files[2].contents),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  B\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a/b\n"
        );
        let read = parse(&String::from_utf8_lossy(&files[2].contents));
        assert_eq!(read["runtime/B"], sum(b"abc"));
        assert_eq!(read["runtime/a/b"], sum(b""));
    }

    #[test]
    fn without_a_runtime_there_are_none() {
        assert_eq!(with_sums(files(&[("runtime.md", "x")])).len(), 1);
    }
}
