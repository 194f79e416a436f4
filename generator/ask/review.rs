//! A last look at what would be made.

use super::prompt::{Choice, Choosable, Reply, Terminal, shortened};
use crate::answers::Answers;
use crate::args::New;
use crate::catalog::{Catalog, Kind};
use crate::disk::{Destination, Found, try_write};
use crate::error::{Error, Result};
use crate::package::{Plan, Rendered, render};
use crate::previous::outdated;
use crate::tell::{outline, wrapped};

pub enum Review {
    Create {
        /// And install and test it.
        r#try: bool,
    },
    /// To the last question.
    Back,
    /// To the first.
    Start,
}

const CREATE: [(&str, &str); 4] = [
    ("yes", "make these files"),
    ("files", "show all of them first"),
    ("change", "go through the answers again"),
    ("no", "make nothing"),
];
const TRY: [(&str, &str); 2] = [
    ("no", "`pip install .` does it at any time"),
    (
        "yes",
        "into a `.venv` in its folder, which takes about a minute",
    ),
];

fn choose(
    above: &str,
    message: &str,
    options: &[(&'static str, &'static str)],
    prompt: &mut Terminal,
) -> Result<Reply<usize>> {
    let option = |&(name, summary)| Choosable { name, summary };
    prompt.choice(&Choice {
        above,
        message,
        help: "",
        options: options.iter().map(option).collect(),
        start: 0,
    })
}

pub fn review(draft: &New, catalog: &Catalog, prompt: &mut Terminal) -> Result<Review> {
    let answers = Answers::new(&draft.said, catalog)?;
    let plan = Plan::new(&answers)?;
    if draft.dry_run {
        return Ok(Review::Create { r#try: false });
    }
    let sight = Sight::new(draft, &answers, &render(&plan, &answers)?, catalog)?;
    let mut above = sight.summary(prompt.columns());
    loop {
        let reply = choose(&above, "Create it?", &CREATE, prompt)?;
        above.clear();
        match reply {
            Reply::Back => return Ok(Review::Back),
            Reply::Answer(0) => {
                if let Some(r#try) = ask_try(draft, prompt)? {
                    return Ok(Review::Create { r#try });
                }
                above = sight.summary(prompt.columns());
            }
            Reply::Answer(1) => prompt.show(&sight.files())?,
            Reply::Answer(2) => return Ok(Review::Start),
            Reply::Answer(_) => return Err(Error::Declined),
        }
    }
}

/// The last question, unless an option answers it; none if the user goes back.
fn ask_try(draft: &New, prompt: &mut Terminal) -> Result<Option<bool>> {
    if draft.r#try {
        return Ok(Some(true));
    }
    Ok(
        match choose("", "Install and test it now?", &TRY, prompt)? {
            Reply::Back => None,
            Reply::Answer(index) => Some(index == 1),
        },
    )
}

/// Files that would be made, and those that would be lost.
struct Sight {
    package: String,
    destination: String,
    files: Vec<String>,
    overwritten: Vec<String>,
    outdated: Vec<String>,
}

impl Sight {
    /// Fails if something is in the way: better now than after "yes".
    fn new(draft: &New, answers: &Answers, files: &[Rendered], catalog: &Catalog) -> Result<Self> {
        let name = answers.name.distribution();
        let destination = Destination::new(draft.output.as_deref(), name, draft.force);
        let outdated = outdated(&destination, catalog, answers, files)?;
        let overwritten = match try_write(files, &destination)? {
            Found::Nothing => Vec::new(),
            Found::Folder { overwritten } => overwritten,
        };
        let layer = |(kind, _): (Kind, _)| format!("{kind} `{}`", answers.layers.get(kind).name());
        let layers: Vec<_> = Kind::asked().map(layer).collect();
        Ok(Self {
            package: format!("package `{name}`, {}", layers.join(", ")),
            destination: destination.path.display().to_string(),
            files: files.iter().map(|file| file.path.clone()).collect(),
            overwritten,
            outdated,
        })
    }

    fn summary(&self, columns: usize) -> String {
        let paths = self.files.iter().map(String::as_str);
        let mut summary = format!("\n{}\n", wrapped(&self.package, columns));
        summary += &outline(&self.destination, paths, columns);
        for (what, files) in [
            ("overwrites", &self.overwritten),
            ("removes", &self.outdated),
        ] {
            if !files.is_empty() {
                let line = format!("{what} {}: {}", files.len(), files.join(" "));
                summary += &format!("\n{}", shortened(&line, columns));
            }
        }
        summary
    }

    fn files(&self) -> String {
        let mark = |file: &String| match self.overwritten.contains(file) {
            true => format!("{file}  (overwritten)"),
            false => file.clone(),
        };
        let removed = self
            .outdated
            .iter()
            .map(|file| format!("{file}  (removed)"));
        let lines: Vec<_> = self.files.iter().map(mark).chain(removed).collect();
        lines.join("\n")
    }
}
