//! Command lines that cannot be parsed, in the words of all other errors.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue};

use crate::answers::Name;
use crate::args::Args;
use crate::error::Error;

/// The error for a word that stands where a command or a name does, and is a mistyped or a missing command.
///
/// Taken for a name, it would make a package.
pub fn not_a_command(word: &str) -> Option<Error> {
    if is_command(word) {
        return None;
    }
    if let Err(name) = Name::parse(word)
        && name.is_command()
    {
        return Some(name.into());
    }
    let command = meant(word)?;
    Some(Error::Usage {
        problem: format!("unknown command `{word}`"),
        hint: format!(
            "did you mean `cuvec-new {command}`? For a package of this name: \
             `cuvec-new {word} --output {word}`"
        ),
    })
}

/// The error for `help` of a word that is no command.
pub fn no_help(word: &str) -> Option<Error> {
    if is_command(word) || word.starts_with('-') {
        return None;
    }
    Some(Error::Usage {
        problem: format!("unknown command `{word}`"),
        hint: match meant(word) {
            Some(command) => format!("did you mean `cuvec-new help {command}`?"),
            None => "`cuvec-new --help` lists all commands".to_owned(),
        },
    })
}

/// The command that a word is a slip of.
fn meant(word: &str) -> Option<String> {
    commands().into_iter().find(|it| is_slip(word, it))
}

/// All commands, `help` among them.
fn commands() -> Vec<String> {
    let mut definition = Args::command();
    definition.build();
    let names = definition.get_subcommands().map(clap::Command::get_name);
    names.map(str::to_owned).collect()
}

pub fn is_command(word: &str) -> bool {
    commands().iter().any(|command| command == word)
}

/// Whether a word is a slip of a command: a letter wrong, missing or too many, two in wrong order, or the end missing.
fn is_slip(word: &str, command: &str) -> bool {
    let first = command.chars().next() == word.chars().next();
    let begun = word.len() > 3 && command.starts_with(word);
    let one_slip = strsim::damerau_levenshtein(command, word) == 1;
    // Another letter makes other words of short ones: `map`, `main`, `net`, `lint`.
    let other_word = command.len() < 5 && word.chars().any(|c| !command.contains(c));
    let slip = one_slip && (!other_word || is_next_key(word, command));
    first && command != word && (begun || slip)
}

/// Whether the letters that differ are side by side on a keyboard: `helo`.
fn is_next_key(word: &str, command: &str) -> bool {
    let beside = |(a, b): (char, char)| {
        let (one, other) = (format!("{a}{b}"), format!("{b}{a}"));
        let rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
        a == b
            || rows
                .iter()
                .any(|row| row.contains(&one) || row.contains(&other))
    };
    word.len() == command.len() && word.chars().zip(command.chars()).all(beside)
}

/// What clap says, as a fact and a hint.
pub fn refused(error: &clap::Error) -> Error {
    let more = format!("`{} --help` says more", command(error));
    // It takes a second name for a command, and finds one that is similar to anything.
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        return Error::Usage {
            problem: format!("unexpected argument `{word}` found"),
            hint: more,
        };
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let fact = paragraphs.next().unwrap_or_default();
    let fact = fact.trim_start_matches("error: ");
    let tips = paragraphs.filter_map(|it| it.trim_start().strip_prefix("tip: "));
    let hints = tips.flat_map(|tips| tips.split("\n  tip: ")).map(quoted);
    Error::Usage {
        problem: quoted(fact.trim_start_matches("the argument ")),
        hint: hints.chain([more]).collect::<Vec<_>>().join("; "),
    }
}

/// The command that refuses the line, by its usage: `Usage: cuvec-new update [OPTIONS] [PATH]`.
fn command(error: &clap::Error) -> String {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let usage = usage.unwrap_or_default();
    let words = usage.split_ascii_whitespace().skip(1);
    let names: Vec<_> = words
        .take_while(|word| word.starts_with(char::is_alphanumeric))
        .collect();
    match names.as_slice() {
        [] => "cuvec-new".to_owned(),
        names => names.join(" "),
    }
}

/// Quotes as in all other messages.
fn quoted(text: &str) -> String {
    text.trim_end().replace('\'', "`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_commands() {
        for (word, command) in [
            ("ad", "add"),
            ("addd", "add"),
            ("neww", "new"),
            ("nwe", "new"),
            ("hlep", "help"),
            ("helo", "help"),
            ("lisr", "list"),
            ("lits", "list"),
            ("updte", "update"),
            ("updat", "update"),
            ("upda", "update"),
            ("udpate", "update"),
            ("doctr", "doctor"),
            ("exprot", "export"),
            ("completion", "completions"),
        ] {
            assert!(is_slip(word, command), "{word}");
        }
        for word in [
            "", "a", "d", "mypkg", "doc", "exp", "odd", "report", "update", "map", "main", "net",
            "lint",
        ] {
            let taken_for = commands()
                .into_iter()
                .find(|command| is_slip(word, command));
            assert_eq!(taken_for, None, "{word}");
        }
    }
}
