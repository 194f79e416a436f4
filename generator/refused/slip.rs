//! Words that most likely are a mistyped command.

/// Names that people give to packages, a letter away from a command. `docs/errors.md` lists them.
const NAMES: [&str; 6] = ["adept", "built", "expert", "guild", "hep", "tess"];

/// Checks whether a word is a slip of a command: in upper case, in the plural, with its end
/// missing, two letters in the wrong order, or a letter wrong, missing or too many.
pub fn is_slip(word: &str, command: &str) -> bool {
    let lower = word.to_lowercase();
    if word == command || NAMES.contains(&word) {
        return false;
    }
    let begun = lower.len() > 3 && command.starts_with(&lower);
    begun || is_transposed(&lower, command) || is_plural(&lower, command) || {
        let one_slip = strsim::damerau_levenshtein(command, &lower) <= 1;
        // Another letter makes other words of short ones: `net`, `main`, `lint`, `hist`.
        one_slip && (command.len() > 4 || !makes_another_word(&lower, command))
    }
}

/// Checks whether two adjacent letters have changed places: `biuld`.
fn is_transposed(word: &str, command: &str) -> bool {
    let (word, command) = (word.as_bytes(), command.as_bytes());
    word.len() == command.len()
        && (1..word.len()).any(|at| {
            let mut swapped = command.to_vec();
            swapped.swap(at - 1, at);
            word == swapped
        })
}

fn is_plural(word: &str, command: &str) -> bool {
    word.strip_suffix('s') == Some(command)
}

/// Checks whether a slip of a command of few letters has another first letter, or one that is
/// neither in it nor the next key.
fn makes_another_word(word: &str, command: &str) -> bool {
    let first = command.chars().next() == word.chars().next();
    let foreign = word.chars().any(|c| !command.contains(c));
    !first || (foreign && !is_next_key(word, command))
}

/// Checks whether the letters that differ are side by side on a keyboard: `helo`.
fn is_next_key(word: &str, command: &str) -> bool {
    let adjacent = |(a, b): (char, char)| {
        let (one, other) = (format!("{a}{b}"), format!("{b}{a}"));
        let rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
        a == b
            || rows
                .iter()
                .any(|row| row.contains(&one) || row.contains(&other))
    };
    word.len() == command.len() && word.chars().zip(command.chars()).all(adjacent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::COMMANDS;

    #[test]
    fn slips_of_commands() {
        for (command, words) in [
            ("add", "ad addd adds"),
            ("new", "neww nwe enw"),
            ("help", "hlep helo"),
            ("list", "lisr lits ilst"),
            ("init", "inti initt"),
            ("test", "tset"),
            (
                "update",
                "updte updat upda udpate pdate ipdate uupdate updates Update",
            ),
            ("build", "biuld buid"),
            ("doctor", "doctr odctor"),
            ("export", "xport exprot"),
            ("completions", "completion"),
        ] {
            for word in words.split(' ') {
                assert!(is_slip(word, command), "{word}");
            }
        }
    }

    #[test]
    fn names_that_are_no_slips() {
        let commands = COMMANDS.map(|(command, _)| command);
        for word in [
            "", "a", "d", "mypkg", "doc", "exp", "odd", "report", "update", "map", "main", "net",
            "lint", "gan", "hist", "unit", "text", "nest", "rest", "adept", "built", "expert",
            "guild", "hep", "tess", "ü",
        ] {
            let meant = commands.into_iter().find(|command| is_slip(word, command));
            assert_eq!(meant, None, "{word}");
        }
    }
}
