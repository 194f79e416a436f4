//! The build program for functions in CUDA C++.
//!
//! `cuvec-compile read FOLDER FILE…` reads the declarations in files of kernels/ before they are compiled, and writes a header
//! for each into the folder. It shows the place where a declaration is wrong, and where two files define one thing in two
//! ways. Compilers find all other faults.
//!
//! `cuvec-compile run COMMAND…` runs a compiler, and says in a line before its own what is wrong with a body, or that a file
//! needs CUDA where there is none.

mod compiler;
mod compiler_output;
mod declarations;
mod definitions;
mod header;
mod source;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::{env, fs, io};

use compiler_output::CompilerOutput;
use declarations::{File, Place};
use definitions::Definition;

/// A regular expression, which is compiled once.
macro_rules! pattern {
    ($pattern:expr) => {{
        static PATTERN: std::sync::LazyLock<regex_lite::Regex> = std::sync::LazyLock::new(|| {
            regex_lite::Regex::new($pattern).expect("a regular expression")
        });
        &*PATTERN
    }};
}
use pattern;

fn main() -> ExitCode {
    let words: Vec<String> = env::args_os()
        .map(|it| it.to_string_lossy().into_owned())
        .collect();
    let done = match words.get(1).map(String::as_str) {
        Some("read") if words.len() > 2 => read(&words[2], &words[3..]),
        Some("run") if words.len() > 2 => run(&words[2..]),
        _ => Err(io::Error::other(
            "cuvec-compile read FOLDER FILE…, or run COMMAND…",
        )),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// Writes the headers of files.
fn read(folder: &str, paths: &[String]) -> io::Result<ExitCode> {
    let mut is_right = true;
    let mut files = Vec::new();
    fs::create_dir_all(folder)?;
    for path in paths {
        let file = File::read(path)?;
        match file.declarations() {
            Ok(found) => {
                let texts = found.iter().map(|(signature, it)| (&*signature.text, it));
                let (name, header) = (file.stem(), header::header(texts));
                write(&format!("{folder}/{name}.h"), &header)?;
            }
            Err(faults) => {
                is_right = false;
                faults.iter().for_each(|it| file.show(it));
            }
        }
        files.push(file);
    }
    Ok(match is_right && !show_two_definitions(&files) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Writes a file that has another text, so that nothing is compiled again for one that has the same.
fn write(path: &str, text: &str) -> io::Result<()> {
    match fs::read(path) {
        Ok(before) if before == text.as_bytes() => Ok(()),
        _ => fs::write(path, text),
    }
}

/// Shows definitions that one of the files before has too, and that differ, in their text or in their uses; whether there are any.
fn show_two_definitions(files: &[File]) -> bool {
    let mut known: BTreeMap<String, (&File, Definition)> = BTreeMap::new();
    let mut found = false;
    for file in files {
        for definition in definitions::definitions(&file.text) {
            let Some((other, first)) = known.get(&definition.key) else {
                known.insert(definition.key.clone(), (file, definition));
                continue;
            };
            let differing = match first.text == definition.text {
                true => first.differing_use(&definition),
                false => Some(""),
            };
            if let Some(differing) = differing
                && other.path != file.path
            {
                let uses = match differing {
                    "" => String::new(),
                    used => format!(" (`{used}`, which it uses, is another)"),
                };
                file.show(&Place {
                    at: definition.place,
                    problem: format!(
                        "`{}` is in kernels/{} too, and differs: both would be linked to one{uses}. Rename one of them, put each \
                         into `namespace {{ }}`, or move one into a header that both include",
                        definition.name,
                        other.name()
                    ),
                });
                found = true;
            }
        }
    }
    found
}

/// Runs a compiler, and explains what it says.
fn run(command: &[String]) -> io::Result<ExitCode> {
    let (code, said) = compiler::run(command)?;
    let path = command.iter().rfind(|it| it.ends_with(".cu"));
    if let Some(path) = path
        && code != ExitCode::SUCCESS
    {
        let advice = match compiler::is_without_cuda(command) {
            true => compiler::name_of_cuda(&said),
            false => compiler::missing_header(&said),
        };
        if let Some(advice) = advice {
            eprintln!("{advice}");
        }
        if let Ok(file) = File::read(path)
            && let Some(place) = file.explained(&CompilerOutput(&said))
        {
            file.show(&place);
        }
    }
    eprint!("{said}");
    Ok(code)
}
