//! The questions that are answered by choosing a layer.

use super::question::{Step, help};
use crate::args::Args;
use crate::catalog::{Catalog, goes_with};
use crate::error::Result;
use crate::kind::Kind;
use crate::layer::Layer;
use crate::prompt::{Choice, Choosable, Prompt, Reply};

/// Asks for a layer of a kind. None if there is nothing to choose.
pub fn ask(
    kind: Kind,
    draft: &mut Args,
    args: &Args,
    catalog: &Catalog,
    prompt: &mut dyn Prompt,
) -> Result<Option<Step>> {
    let choices = choices(kind, draft, args, catalog)?;
    let answer = answer(draft, kind);
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

/// The option that names a layer of a kind.
pub fn answer(args: &mut Args, kind: Kind) -> &mut Option<String> {
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
