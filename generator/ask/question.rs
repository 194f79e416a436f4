//! Each question: when it is asked, what is offered, and which option its answer is.

use clap::CommandFactory;

use super::checks;
use super::prompt::{Choice, Choosable, Line, Refusal, Reply, Terminal};
use crate::answers::{DEFAULT_DESCRIPTION, Identity, Name, RawAnswers};
use crate::args::{Args, New};
use crate::catalog::{Catalog, Kind, Layer};
use crate::error::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Name,
    Description,
    Layer(Kind, &'static str),
    Author,
}

impl Question {
    /// Those that nothing that was said answers.
    pub fn open(said: &RawAnswers) -> Vec<Self> {
        let layers = Kind::asked().map(|(kind, title)| Self::Layer(kind, title));
        let mut questions = vec![Self::Name, Self::Description];
        questions.extend(layers.chain([Self::Author]));
        questions.retain(|question| match question {
            Self::Name => said.name.is_none(),
            Self::Description => said.description.is_none(),
            Self::Layer(kind, _) => said.layers.get(*kind).is_none(),
            Self::Author => said.author.is_none() && said.email.is_none(),
        });
        questions
    }

    /// Puts the answer into the draft. None if there is nothing to choose.
    pub fn ask(
        self,
        draft: &mut New,
        catalog: &Catalog,
        prompt: &mut Terminal,
    ) -> Result<Option<Reply<()>>> {
        let reply = match self {
            Self::Name => ask_name(draft, prompt)?,
            Self::Description => ask_description(&mut draft.said, prompt)?,
            Self::Layer(kind, title) => {
                return ask_layer(kind, title, &mut draft.said, catalog, prompt);
            }
            Self::Author => ask_author(&mut draft.said, prompt)?,
        };
        Ok(Some(reply))
    }
}

fn ask_name(draft: &mut New, prompt: &mut Terminal) -> Result<Reply<()>> {
    let folder = draft.output.as_deref().and_then(|path| path.file_name());
    let default = match folder.map(|name| name.to_string_lossy()) {
        None => "mypkg".to_owned(),
        Some(folder) => match Name::parse(&folder) {
            Ok(name) => name.distribution().to_owned(),
            Err(error) => error.suggestion().to_owned(),
        },
    };
    let args = draft.clone();
    let check = |text: &str| checks::name(&args, text);
    ask_line(
        ("Name", "name"),
        &mut draft.said.name,
        default,
        &check,
        prompt,
    )
}

fn ask_description(draft: &mut RawAnswers, prompt: &mut Terminal) -> Result<Reply<()>> {
    let default = DEFAULT_DESCRIPTION.to_owned();
    let texts = ("Description", "description");
    ask_line(
        texts,
        &mut draft.description,
        default,
        &checks::description,
        prompt,
    )
}

/// One line for name and address, as git and most package managers write it.
fn ask_author(draft: &mut RawAnswers, prompt: &mut Terminal) -> Result<Reply<()>> {
    let open = RawAnswers {
        author: None,
        email: None,
        ..draft.clone()
    };
    let name = Name::parse(draft.name.as_deref().ok_or(Error::NoName)?)?;
    let default = Identity::resolve(&open, &name)?.to_string();
    let mut line = match &draft.author {
        Some(_) => Some(Identity::resolve(draft, &name)?.to_string()),
        None => None,
    };
    let step = ask_line(
        ("Author", "author"),
        &mut line,
        default,
        &checks::author,
        prompt,
    )?;
    // On the way back it is what it was.
    if let Some(line) = line {
        let identity = Identity::parse(&line)?;
        draft.author = Some(identity.author);
        draft.email = Some(identity.email);
    }
    Ok(step)
}

fn ask_line(
    (message, option): (&str, &str),
    answer: &mut Option<String>,
    default: String,
    check: &dyn Fn(&str) -> Result<(), Refusal>,
    prompt: &mut Terminal,
) -> Result<Reply<()>> {
    let reply = prompt.line(&Line {
        message,
        help: &help(option),
        start: answer
            .clone()
            .filter(|it| *it != default)
            .unwrap_or_default(),
        default,
        check,
    })?;
    match reply {
        Reply::Back => Ok(Reply::Back),
        Reply::Answer(text) => {
            *answer = Some(text);
            Ok(Reply::Answer(()))
        }
    }
}

/// Asks for a layer of a kind. None if there is nothing to choose.
fn ask_layer(
    kind: Kind,
    title: &str,
    draft: &mut RawAnswers,
    catalog: &Catalog,
    prompt: &mut Terminal,
) -> Result<Option<Reply<()>>> {
    let choices = catalog.members(kind);
    let answer = draft.layers.get(kind);
    let start = choices.iter().position(|it| Some(it.name()) == answer);
    if let [only] = choices {
        draft.layers.set(kind, only.name());
        return Ok(None);
    }
    let reply = prompt.choice(&Choice {
        above: "",
        message: title,
        help: &help(kind.folder()),
        options: choices.iter().map(choosable).collect(),
        start: start.unwrap_or_default(),
    })?;
    Ok(Some(match reply {
        Reply::Back => Reply::Back,
        Reply::Answer(index) => {
            draft.layers.set(kind, choices[index].name());
            Reply::Answer(())
        }
    }))
}

fn choosable(layer: &Layer) -> Choosable<'_> {
    Choosable {
        name: layer.name(),
        summary: &layer.manifest.summary,
    }
}

/// The beginning of what `--help` says about an option.
fn help(option: &str) -> String {
    let command = Args::command();
    let arg = command.get_arguments().find(|arg| arg.get_id() == option);
    let text = arg.and_then(|arg| arg.get_help()).map(ToString::to_string);
    let text = text.unwrap_or_default();
    let end = text.find([';', '[']).unwrap_or(text.len());
    text[..end].trim_end().to_owned()
}
