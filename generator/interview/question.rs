//! Each question: when it is asked, what is offered, and which option its answer is.

use clap::CommandFactory;

use super::{checks, layer};
use crate::answers::DEFAULT_DESCRIPTION;
use crate::answers::identity::Identity;
use crate::args::Args;
use crate::catalog::Catalog;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::name::Name;
use crate::prompt::{Line, Prompt, Refusal, Reply};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Name,
    Description,
    Layer(Kind),
    Author,
}

/// Where to go after a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Forward,
    Back,
}

impl Question {
    const ALL: [Self; 7] = [
        Self::Name,
        Self::Description,
        Self::Layer(Kind::Bridge),
        Self::Layer(Kind::Kernels),
        Self::Layer(Kind::License),
        Self::Layer(Kind::Ci),
        Self::Author,
    ];

    /// Those that no option answers.
    pub fn open(args: &Args) -> Vec<Self> {
        let mut questions = Self::ALL.to_vec();
        questions.retain(|question| match question {
            Self::Name => args.name.is_none(),
            Self::Description => args.description.is_none(),
            Self::Layer(kind) => layer::answer(&mut args.clone(), *kind).is_none(),
            Self::Author => args.author.is_none() && args.email.is_none(),
        });
        questions
    }

    /// Puts the answer into the draft. None if there is nothing to choose.
    pub fn ask(
        self,
        draft: &mut Args,
        args: &Args,
        catalog: &Catalog,
        prompt: &mut dyn Prompt,
    ) -> Result<Option<Step>> {
        let reply = match self {
            Self::Name => ask_name(draft, prompt)?,
            Self::Description => ask_description(draft, prompt)?,
            Self::Layer(kind) => return layer::ask(kind, draft, args, catalog, prompt),
            Self::Author => ask_author(draft, prompt)?,
        };
        Ok(Some(reply))
    }
}

fn ask_name(draft: &mut Args, prompt: &mut dyn Prompt) -> Result<Step> {
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
    ask_line(("Name", "name"), &mut draft.name, default, &check, prompt)
}

fn ask_description(draft: &mut Args, prompt: &mut dyn Prompt) -> Result<Step> {
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
fn ask_author(draft: &mut Args, prompt: &mut dyn Prompt) -> Result<Step> {
    let open = Args {
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
    if let (Step::Forward, Some(line)) = (step, line) {
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
    prompt: &mut dyn Prompt,
) -> Result<Step> {
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
        Reply::Back => Ok(Step::Back),
        Reply::Answer(text) => {
            *answer = Some(text);
            Ok(Step::Forward)
        }
    }
}

/// The beginning of what `--help` says about an option.
pub fn help(option: &str) -> String {
    let command = Args::command();
    let arg = command.get_arguments().find(|arg| arg.get_id() == option);
    let text = arg.and_then(|arg| arg.get_help()).map(ToString::to_string);
    let text = text.unwrap_or_default();
    let end = text.find([';', '[']).unwrap_or(text.len());
    text[..end].trim_end().to_owned()
}
