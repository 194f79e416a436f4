//! Files that templates have under another name now.

use std::collections::BTreeMap;

use crate::package::lock::Made;

/// New texts by their paths.
pub type New<'a> = BTreeMap<&'a str, &'a [u8]>;

/// Least share of common lines of two similar texts.
const LIKE: f64 = 0.6;

/// The path of the text that a text became, if one is like it.
pub fn renamed<'a>(base: &Made, new: &New<'a>) -> Option<&'a str> {
    let Made::Text(base) = base else {
        return None;
    };
    let like = |(path, text): (&&'a str, &&[u8])| {
        let likeness = likeness(base, std::str::from_utf8(text).ok()?);
        (likeness >= LIKE).then_some((likeness, *path))
    };
    let nearest = new.iter().filter_map(like);
    let nearest = nearest.max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, path)| path)
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
            common += 2;
        }
    }
    let lines = a.lines().count() + b.lines().count();
    f64::from(common) / (lines.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_is_most_alike() {
        let base = Made::Text("a\nb\nc\nd\ne\n".to_owned());
        let new = New::from([
            ("far", &b"a\nb\nx\ny\nz\n"[..]),
            ("near", b"a\nb\nc\nx\ne\n"),
            ("nearer", b"z\na\nb\nc\nd\ne\n"),
        ]);
        assert_eq!(renamed(&base, &new), Some("nearer"));
        let far = New::from([("far", &b"a\nb\nx\ny\nz\n"[..]), ("empty", b"")]);
        assert_eq!(renamed(&base, &far), None);
        assert_eq!(renamed(&Made::Text(String::new()), &far), None);
    }

    #[test]
    fn a_line_is_common_as_often_as_both_have_it() {
        assert!((likeness("x\n", "x\nx\nx\n") - 0.5).abs() < 1e-9);
        assert!((likeness("x\nx\ny\n", "x\nx\nz\n") - 2.0 / 3.0).abs() < 1e-9);
    }
}
