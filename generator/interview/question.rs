//! Each question: when it is asked, what is offered, and which option its answer is.

use clap::CommandFactory;

use super::checks;
use crate::answers::DEFAULT_DESCRIPTION;
use crate::answers::identity::Identity;
use crate::args::Args;
use crate::catalog::{Catalog, goes_with};
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::layer::Layer;
use crate::name::Name;
use crate::prompt::{Choice, Choosable, Line, Prompt, Refusal, Reply};

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
            Self::Layer(kind) => layer(&mut args.clone(), *kind).is_none(),
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
            Self::Layer(kind) => return ask_layer(kind, draft, args, catalog, prompt),
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

fn ask_layer(
    kind: Kind,
    draft: &mut Args,
    args: &Args,
    catalog: &Catalog,
    prompt: &mut dyn Prompt,
) -> Result<Option<Step>> {
    let choices = choices(kind, draft, args, catalog)?;
    let answer = layer(draft, kind);
    let start = choices
        .iter()
        .position(|it| Some(it.name()) == answer.as_deref());
    if let [only] = choices.as_slice() {
        *answer = Some(only.name().to_owned());
        return Ok(None);
    }
    let reply = prompt.choice(&Choice {
        above: "",
        message: title(kind),
        help: &help(kind.folder()),
        options: choices.iter().map(|it| choosable(it)).collect(),
        start: start.unwrap_or_default(),
    })?;
    Ok(Some(match reply {
        Reply::Back => Step::Back,
        Reply::Answer(index) => {
            *answer = choices.get(index).map(|it| it.name().to_owned());
            Step::Forward
        }
    }))
}

/// The members of a kind that go with what is decided already, the default first.
fn choices<'a>(
    kind: Kind,
    draft: &Args,
    args: &Args,
    catalog: &'a Catalog,
) -> Result<Vec<&'a Layer>> {
    let mut members: Vec<_> = catalog.members(kind).iter().collect();
    match kind {
        // Kernels that an option gives are decided, those that were asked for come after the bridge.
        Kind::Bridge if args.kernels.is_some() => {
            let kernels = catalog.choose(Kind::Kernels, args.kernels.as_deref())?;
            members.retain(|bridge| goes_with(bridge, kernels));
        }
        Kind::Kernels => {
            let bridge = catalog.choose(Kind::Bridge, draft.bridge.as_deref())?;
            members.retain(|kernels| goes_with(bridge, kernels));
        }
        _ => {}
    }
    Ok(members)
}

fn layer(args: &mut Args, kind: Kind) -> &mut Option<String> {
    match kind {
        Kind::Bridge => &mut args.bridge,
        Kind::Kernels => &mut args.kernels,
        Kind::License => &mut args.license,
        Kind::Ci => &mut args.ci,
        Kind::Host => unreachable!("the bridge decides on the host"),
    }
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Bridge => "Bridge",
        Kind::Kernels => "Kernels",
        Kind::License => "License",
        Kind::Ci => "CI",
        Kind::Host => "Host",
    }
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
