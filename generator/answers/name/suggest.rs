//! Offers a name that works in place of one that does not.

use deunicode::deunicode_char;

use super::problem::{self, MAX_LENGTH};

/// A valid name that is as close to `raw` as possible.
pub fn similar(raw: &str) -> String {
    let works = |name: &String| problem::find(name).is_none();
    let slug = slug(raw);
    // Shortened so that the longest addition below still fits.
    let stem = shorten(&slug, MAX_LENGTH - "-kernels".len());
    let digit = slug.starts_with(|c: char| c.is_ascii_digit());
    let prefix = if digit { "py" } else { "my-" };
    [
        shorten(&slug, MAX_LENGTH).to_owned(),
        format!("{prefix}{stem}"),
        format!("{stem}-gpu"),
        format!("{stem}-kernels"),
    ]
    .into_iter()
    .find(works)
    .unwrap_or_else(|| "my-package".to_owned())
}

/// The letters and digits of the last part of a path, as lowercase ASCII, with single separators.
fn slug(raw: &str) -> String {
    let path = raw.trim_end_matches(['/', '\\']);
    let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let mut slug = String::new();
    for c in last.chars().take(2 * MAX_LENGTH).flat_map(transliterate) {
        match c {
            _ if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if slug.is_empty() || slug.ends_with(['-', '_']) => {}
            '_' => slug.push('_'),
            _ => slug.push('-'),
        }
    }
    slug.truncate(slug.trim_end_matches(['-', '_']).len());
    slug
}

fn transliterate(c: char) -> impl Iterator<Item = char> {
    deunicode_char(c).unwrap_or(" ").chars()
}

fn shorten(slug: &str, length: usize) -> &str {
    let end = slug.len().min(length);
    slug[..end].trim_end_matches(['-', '_'])
}
