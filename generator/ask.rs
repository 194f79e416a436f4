//! The questions for what the options leave open, asked in order; one can go back, and sees what would be made.

mod checks;
mod prompt;
mod question;
mod review;

use crate::answers::{Answers, RawAnswers};
use crate::args::New;
use crate::catalog::Catalog;
use crate::disk::Destination;
use crate::error::{Error, Result};
pub use prompt::for_terminal as prompt_for;
use prompt::{Reply, Terminal};
use question::Question;
use review::{Review, review};

#[derive(Debug)]
pub struct PromptResult {
    pub said: RawAnswers,
    /// True to install and test the package.
    pub r#try: bool,
}

/// Asks until the answers make a package and the user wants it.
pub fn ask_all(args: &New, catalog: &Catalog, prompt: &mut Terminal) -> Result<PromptResult> {
    check_options(args, catalog)?;
    let questions = Question::open(&args.said);
    let mut draft = args.clone();
    let mut at = 0;
    let mut step = Reply::Answer(());
    loop {
        while let Some(question) = questions.get(at) {
            // A question with one possible answer is passed in the direction one is going.
            let asked = question.ask(&mut draft, catalog, prompt)?;
            step = asked.unwrap_or(step);
            at = match step {
                Reply::Answer(()) => at + 1,
                Reply::Back => at.saturating_sub(1),
            };
            if at == 0 {
                step = Reply::Answer(());
            }
        }
        match review(&draft, catalog, prompt)? {
            Review::Create { r#try } => {
                let said = draft.said;
                return Ok(PromptResult { said, r#try });
            }
            Review::Back => {
                step = Reply::Back;
                at = questions.len().saturating_sub(1);
            }
            Review::Start => {
                prompt.restart()?;
                step = Reply::Answer(());
                at = 0;
            }
        }
    }
}

/// Nobody should answer seven questions to hear that an option or the folder will not do.
fn check_options(args: &New, catalog: &Catalog) -> Result<()> {
    let mut said = args.said.clone();
    let name = said.name.get_or_insert_with(|| "mypkg".to_owned()).clone();
    Answers::new(&said, catalog)?;
    let destination = Destination::new(args.output.as_deref(), &name, args.force);
    let decided = args.output.is_some() || args.said.name.is_some();
    if decided && !destination.is_free() {
        return Err(Error::Occupied {
            path: destination.path,
            files: Vec::new(),
        });
    }
    Ok(())
}
