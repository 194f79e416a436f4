//! Command lines that cannot be parsed, in the words of all other errors.

mod slip;

use std::env;
use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue};

use crate::answers::{COMMANDS, Name, Record};
use crate::args::Args;
use crate::error::Error;
use slip::is_slip;

/// Commands of other tools, after which a package is called only if `new` or `--output` says so: lines that do the same, or
/// nothing, and the words.
const ELSEWHERE: [(&str, &str); 10] = [
    (
        "cuvec-new update",
        "bump migrate outdated pull sync upgrade",
    ),
    (
        "cuvec-new doctor",
        "check debug diagnose env info status validate verify",
    ),
    ("cuvec-new list", "ls search show"),
    (
        "cuvec-new new NAME",
        "gen generate make scaffold setup start",
    ),
    ("cuvec-new adopt FILE.cu", "bind convert port wrap"),
    ("cuvec-new completions SHELL", "completion"),
    (
        "git rm kernels/NAME.cu tests/test_NAME.py",
        "delete remove rm uninstall",
    ),
    ("pip install .", "compile develop instal install"),
    ("pip wheel .", "dist pack package wheel"),
    (
        "",
        "bench benchmark clean commands config copy deploy doc fmt format login move publish release rename \
         reset revert run serve undo upload watch",
    ),
];

/// The error for a word that stands where a command or a name does, and is a mistyped or a missing command.
///
/// Taken for a name, it would make a package.
pub fn not_a_command(word: &str) -> Option<Error> {
    if is_command(word) {
        return None;
    }
    let package = match Name::parse(word) {
        Ok(_) => format!("a package of this name: `cuvec-new new {word}`"),
        Err(name) if name.is_command() => return Some(name.into()),
        // Its own error says more: `tests` is a folder.
        Err(name) if name.is_reserved() => return None,
        Err(name) => format!("a package: `cuvec-new new {}`", name.suggestion()),
    };
    let meant = match (meant(word), elsewhere(word)) {
        (Some(command), _) => format!("did you mean `cuvec-new {command}`?"),
        (None, Some("")) => "`cuvec-new --help` lists all commands.".to_owned(),
        (None, Some(line)) => format!("did you mean `{line}`?"),
        (None, None) => format!("did you mean {}?", meant_elsewhere(word)?),
    };
    let hint = format!("{meant} For {package}");
    Some(unknown(word, &hint))
}

/// The error for a bare name inside of a package, where it most likely is a command that does not exist.
pub fn inside_package(word: &str) -> Option<Error> {
    let here = env::current_dir().ok()?;
    let mut around = here.ancestors().enumerate();
    let (depth, _) = around.find(|(_, folder)| folder.join(Record::PATH).is_file())?;
    let package = match depth {
        0 => ".".to_owned(),
        depth => vec![".."; depth].join("/"),
    };
    let hint = format!(
        "this is the package `{package}`; for another one inside it: `cuvec-new new {word}`"
    );
    Some(unknown(word, &hint))
}

/// The error for `help` of a word that is not a command.
pub fn no_help(word: &str) -> Option<Error> {
    if is_command(word) || word.starts_with('-') {
        return None;
    }
    let hint = match meant(word) {
        Some(command) => format!("did you mean `cuvec-new help {command}`?"),
        None => "`cuvec-new --help` lists all commands".to_owned(),
    };
    Some(unknown(word, &hint))
}

fn unknown(word: &str, hint: &str) -> Error {
    Error::usage(format!("unknown command `{word}`"), hint)
}

/// The command that a word is a slip of.
fn meant(word: &str) -> Option<String> {
    commands().into_iter().find(|it| is_slip(word, it))
}

/// The word of another tool that a word is a slip of, and what does the same here.
fn meant_elsewhere(word: &str) -> Option<String> {
    let mut words = COMMANDS.into_iter();
    let (meant, line) = words.find(|(it, _)| is_slip(word, it))?;
    Some(format!("`{meant}`, which is `{line}`"))
}

/// The line that does what a word does elsewhere; an empty one if none does.
fn elsewhere(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let mut lines = ELSEWHERE.into_iter();
    let (line, _) = lines.find(|(_, words)| words.split(' ').any(|it| it == word))?;
    Some(line)
}

/// All commands, `help` among them.
fn commands() -> Vec<String> {
    let mut definition = Args::command();
    definition.build();
    let names = definition.get_subcommands().map(clap::Command::get_name);
    names.map(str::to_owned).collect()
}

fn is_command(word: &str) -> bool {
    commands().iter().any(|command| command == word)
}

/// Turns clap's error into a fact and a hint.
pub fn refused(error: &clap::Error, line: &[OsString]) -> Error {
    let more = format!("`{} --help` says more", command(error, line));
    // It takes a second name for a command, and finds one that is similar to anything.
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        return Error::usage(format!("unexpected argument `{word}` found"), more);
    }
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(word) = option.strip_prefix("--").filter(|it| is_command(it))
    {
        let hint = format!("`{word}` is a command: `cuvec-new {word}`");
        return Error::usage(format!("unexpected argument `{option}` found"), hint);
    }
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let fact = paragraphs.next().unwrap_or_default();
    let fact = fact.trim_start_matches("error: ");
    let tips = paragraphs.filter_map(|it| it.trim_start().strip_prefix("tip: "));
    let hints = tips.flat_map(|tips| tips.split("\n  tip: ")).map(quoted);
    let problem = quoted(fact.trim_start_matches("the argument "));
    Error::usage(problem, hints.chain([more]).collect::<Vec<_>>().join("; "))
}

/// The command that refuses the line, by its usage: `Usage: cuvec-new update [OPTIONS] [PATH]`.
fn command(error: &clap::Error, line: &[OsString]) -> String {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let usage = usage.unwrap_or_default();
    let words = usage.split_ascii_whitespace().skip(1);
    let names: Vec<_> = words
        .take_while(|word| word.starts_with(char::is_alphanumeric))
        .collect();
    if !names.is_empty() {
        return names.join(" ");
    }
    // A wrong value comes without a usage.
    let first = line.get(1).and_then(|word| word.to_str());
    match first.filter(|word| is_command(word)) {
        Some(command) => format!("cuvec-new {command}"),
        None => "cuvec-new".to_owned(),
    }
}

/// Quotes as in all other messages.
fn quoted(text: &str) -> String {
    text.trim_end().replace('\'', "`")
}
