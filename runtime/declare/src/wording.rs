//! Names in messages.

use std::fmt::Display;

pub fn quoted_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| format!("`{item}`")).collect();
    items.join(", ")
}

/// The one that was meant, most likely: with a slip or two in it, or its end missing.
pub fn similar<'a>(value: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let value = value.to_lowercase();
    // Another digit is another version, not a slip; 12.4 is of 12.
    if value.starts_with(|c: char| c.is_ascii_digit()) {
        let major = value.split('.').next();
        return { known }.find(|name| major == Some(name));
    }
    let slips = |name: &str| {
        let name = name.to_lowercase();
        // The first letter is seldom wrong, and tells GPL and MPL apart.
        if name.chars().next() != value.chars().next() {
            return None;
        }
        let begun = value.len() > 1 && name.starts_with(&value);
        let slips = edits(&name, &value);
        (begun || slips <= 1 + value.len() / 6).then_some(slips)
    };
    let near = known.filter_map(|name| Some((slips(name)?, name)));
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

/// Letters to change, insert, delete or swap with the next, to make one word of the other.
pub fn edits(from: &str, to: &str) -> usize {
    let (from, to): (Vec<_>, Vec<_>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<_>>()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let is_other = from[i - 1] != to[j - 1];
            let last = &rows[i - 1];
            let mut edits = (last[j - 1] + usize::from(is_other)).min(1 + last[j].min(row[j - 1]));
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                edits = edits.min(1 + rows[i - 2][j - 2]);
            }
            row.push(edits);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn edits_are_counted() {
        for (from, to, count) in [
            ("", "abc", 3),
            ("float32", "flaot32", 1),
            ("kitten", "sitting", 3),
            ("inout", "inuot", 1),
            ("same", "same", 0),
        ] {
            assert_eq!(
                (edits(from, to), edits(to, from)),
                (count, count),
                "{from}, {to}"
            );
        }
    }
}
