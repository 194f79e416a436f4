//! The questions that are answered by choosing a layer.

use super::help::help;
use super::prompt::{Choice, Choosable, Prompt, Reply};
use super::step::Step;
use crate::answers::Said;
use crate::catalog::{Catalog, Kind, Layer};
use crate::error::Result;

/// Asks for a layer of a kind. None if there is nothing to choose.
pub fn ask(
    kind: Kind,
    draft: &mut Said,
    given: &Said,
    catalog: &Catalog,
    prompt: &mut dyn Prompt,
) -> Result<Option<Step>> {
    let choices = choices(kind, draft, given, catalog)?;
    let answer = draft.layers.get(kind);
    let start = choices.iter().position(|it| Some(it.name()) == answer);
    if let [only] = choices.as_slice() {
        draft.layers.set(kind, only.name());
        return Ok(None);
    }
    let reply = prompt.choice(&Choice {
        above: "",
        message: kind.traits().choice.as_ref().map_or("", |it| it.title),
        help: &help(kind.folder()),
        options: choices.iter().map(|it| choosable(it)).collect(),
        start: start.unwrap_or_default(),
    })?;
    Ok(Some(match reply {
        Reply::Back => Step::Back,
        Reply::Answer(index) => {
            draft.layers.set(kind, choices[index].name());
            Step::Forward
        }
    }))
}

/// The members of a kind that go with what is decided already, the default first.
fn choices<'a>(
    kind: Kind,
    draft: &Said,
    given: &Said,
    catalog: &'a Catalog,
) -> Result<Vec<&'a Layer>> {
    let mut members: Vec<_> = catalog.members(kind).iter().collect();
    match kind {
        // Kernels that an option gives are decided, those that were asked for come after the bridge.
        Kind::Bridge if given.layers.get(Kind::Kernels).is_some() => {
            let kernels = catalog.choose(Kind::Kernels, given.layers.get(Kind::Kernels))?;
            members.retain(|bridge| catalog.go_together(bridge, kernels));
        }
        Kind::Kernels => {
            let bridge = catalog.choose(Kind::Bridge, draft.layers.get(Kind::Bridge))?;
            members.retain(|kernels| catalog.go_together(bridge, kernels));
        }
        _ => {}
    }
    Ok(members)
}

fn choosable(layer: &Layer) -> Choosable<'_> {
    Choosable {
        name: layer.name(),
        summary: &layer.manifest.summary,
    }
}
