//! The questions for what the options leave open, asked in order; one can go back, and sees what would be made.

mod checks;
mod layer;
mod question;
mod review;

use crate::answers::Answers;
use crate::args::Args;
use crate::catalog::Catalog;
use crate::error::{Error, Result};
use crate::prompt::Prompt;
use question::{Question, Step};
use review::{Review, review};

/// Asks until the answers make a package and the user wants it.
pub fn hold<'a>(args: &Args, catalog: &'a Catalog, prompt: &mut dyn Prompt) -> Result<Answers<'a>> {
    check_options(args, catalog)?;
    let questions = Question::open(args);
    let mut draft = args.clone();
    let mut at = 0;
    let mut step = Step::Forward;
    loop {
        while let Some(question) = questions.get(at) {
            // A question with one possible answer is passed in the direction one is going.
            let asked = question.ask(&mut draft, args, catalog, prompt)?;
            step = asked.unwrap_or(step);
            at = match step {
                Step::Forward => at + 1,
                Step::Back => at.saturating_sub(1),
            };
            if at == 0 {
                step = Step::Forward;
            }
        }
        match review(&draft, catalog, prompt)? {
            Review::Create(answers) => return Ok(*answers),
            Review::Back => {
                step = Step::Back;
                at = questions.len().saturating_sub(1);
            }
            Review::Start => {
                prompt.restart()?;
                step = Step::Forward;
                at = 0;
            }
        }
    }
}

/// Nobody should answer seven questions to hear that an option or the folder will not do.
fn check_options(args: &Args, catalog: &Catalog) -> Result<()> {
    let any = || "mypkg".to_owned();
    let name = Some(args.name.clone().unwrap_or_else(any));
    let destination = Answers::new(
        &Args {
            name,
            ..args.clone()
        },
        catalog,
    )?
    .destination;
    let decided = args.output.is_some() || args.name.is_some();
    if decided && !destination.is_free() {
        return Err(Error::Occupied {
            path: destination.path,
            files: Vec::new(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
