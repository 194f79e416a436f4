//! Names that are like a misspelt one.

/// The name that was meant, most likely: one that `word` is the beginning of, or that is the beginning of `word`, before one
/// with a slip or two in it.
pub fn similar<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().collect();
    let rated = names.into_iter().filter_map(|name| {
        let letters: Vec<char> = name.chars().collect();
        let fewest = word.len().min(letters.len());
        let slips = slips(&word, &letters);
        if fewest > 1 && letters[..fewest] == word[..fewest] {
            return Some((false, slips, name));
        }
        // The first letter is seldom wrong; and of two letters one is half the name.
        let is_near = letters.first() == word.first() && slips <= 1 + word.len() / 6;
        (is_near && 2 * slips <= fewest).then_some((true, slips, name))
    });
    let best = rated.min_by_key(|&(has_slip, slips, _)| (has_slip, slips))?;
    Some(best.2)
}

/// How many letters are to be added, removed, changed or swapped with the next to make one word of the other.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut best = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for k in 0..=b.len() {
            if i == 0 || k == 0 {
                best[i][k] = i + k;
                continue;
            }
            let changed = best[i - 1][k - 1] + usize::from(a[i - 1] != b[k - 1]);
            best[i][k] = changed.min(best[i - 1][k] + 1).min(best[i][k - 1] + 1);
            if i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] {
                best[i][k] = best[i][k].min(best[i - 2][k - 2] + 1);
            }
        }
    }
    best[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_comes_before_a_slip() {
        let names = [
            "boxes",
            "scores",
            "iou_threshold",
            "iot",
            "start",
            "out",
            "stream",
            "x",
            "x1",
        ];
        for (word, meant) in [
            ("iou", Some("iou_threshold")),
            ("iou_thresold", Some("iou_threshold")),
            ("iou_treshhold", Some("iou_threshold")),
            ("score", Some("scores")),
            ("streams", Some("stream")),
            ("strat", Some("start")),
            ("output", Some("out")),
            ("ou", Some("out")),
            ("otu", Some("out")),
            ("x2", Some("x1")),
            ("uot", None),
            ("o", None),
            ("y", None),
            ("xs", Some("x1")),
            ("alpha", None),
            ("größe", None),
            ("", None),
        ] {
            assert_eq!(similar(word, names), meant, "{word}");
        }
    }
}
