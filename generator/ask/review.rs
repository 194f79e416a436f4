//! A last look at what would be made.

use super::prompt::{Choice, Choosable, Prompt, Reply};
use crate::answers::Answers;
use crate::args::Args;
use crate::catalog::Catalog;
use crate::disk::Destination;
use crate::error::{Error, Result};
use crate::package::Plan;
use crate::tell::outline;

pub enum Review {
    Create,
    /// To the last question.
    Back,
    /// To the first.
    Start,
}

const CREATE: Choosable = Choosable {
    name: "yes",
    summary: "make these files",
};
const FILES: Choosable = Choosable {
    name: "files",
    summary: "show all of them first",
};
const CHANGE: Choosable = Choosable {
    name: "change",
    summary: "go through the answers again",
};
const QUIT: Choosable = Choosable {
    name: "no",
    summary: "make nothing",
};

pub fn review(draft: &Args, catalog: &Catalog, prompt: &mut dyn Prompt) -> Result<Review> {
    let answers = Answers::new(&draft.said, catalog)?;
    let plan = match Plan::new(&answers) {
        Ok(plan) => plan,
        Err(error @ Error::Name { .. }) => return refused(error, prompt),
        Err(error) => return Err(error),
    };
    if draft.dry_run {
        return Ok(Review::Create);
    }
    let paths: Vec<_> = plan.iter().map(|(path, _)| path).collect();
    let name = answers.name.distribution();
    let destination = Destination::new(draft.output.as_deref(), name, draft.force);
    let destination = destination.path.display().to_string();
    let outline = outline(&destination, paths.iter().copied(), prompt.columns());
    let mut above = format!("\n{outline}");
    loop {
        let options = [CREATE, FILES, CHANGE, QUIT];
        let reply = prompt.choice(&Choice {
            above: &above,
            message: "Create it?",
            help: "",
            options: options.into_iter().collect(),
            start: 0,
        })?;
        above.clear();
        match reply {
            Reply::Back => return Ok(Review::Back),
            Reply::Answer(0) => return Ok(Review::Create),
            Reply::Answer(1) => prompt.show(&paths.join("\n"))?,
            Reply::Answer(2) => return Ok(Review::Start),
            Reply::Answer(_) => return Err(Error::Interrupted { hint: None }),
        }
    }
}

/// A name that only the chosen layers cannot take.
fn refused(error: Error, prompt: &mut dyn Prompt) -> Result<Review> {
    prompt.show(&error.to_string())?;
    Ok(Review::Start)
}
