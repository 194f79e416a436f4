//! The questions that are answered by choosing a layer.

use super::help::help;
use super::prompt::{Choice, Choosable, Prompt, Reply};
use super::step::Step;
use crate::answers::RawAnswers;
use crate::catalog::{Catalog, Kind, Layer};
use crate::error::Result;

/// Asks for a layer of a kind. None if there is nothing to choose.
pub fn ask(
    kind: Kind,
    title: &str,
    draft: &mut RawAnswers,
    catalog: &Catalog,
    prompt: &mut dyn Prompt,
) -> Result<Option<Step>> {
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
        Reply::Back => Step::Back,
        Reply::Answer(index) => {
            draft.layers.set(kind, choices[index].name());
            Step::Forward
        }
    }))
}

fn choosable(layer: &Layer) -> Choosable<'_> {
    Choosable {
        name: layer.name(),
        summary: &layer.manifest.summary,
    }
}
