//! Checks answers, in the words of a question: without the name of an option.

use super::prompt::Refusal;
use crate::answers::{Identity, Name, parse_description};
use crate::args::New;
use crate::disk::Destination;
use crate::error::{Error, Result};

pub fn name(args: &New, text: &str) -> Result<(), Refusal> {
    let name = Name::parse(text).map_err(|error| Refusal {
        problem: error.problem().to_string(),
        instead: Some(error.suggestion().to_owned()),
    })?;
    let output = args.output.as_deref();
    let destination = Destination::new(output, name.distribution(), args.force);
    match destination.is_free() {
        true => Ok(()),
        false => Err(Refusal {
            problem: format!("`{}` exists already", destination.path.display()),
            instead: None,
        }),
    }
}

pub fn description(text: &str) -> Result<(), Refusal> {
    parse_description(text)
        .map(drop)
        .map_err(|error| refusal(error, "it"))
}

pub fn author(text: &str) -> Result<(), Refusal> {
    let example = "Ada Lovelace <ada@example.org>";
    Identity::parse(text).map(drop).map_err(|error| Refusal {
        problem: refusal(error, "the author").problem + &format!("; such as `{example}`"),
        instead: None,
    })
}

fn refusal(error: Error, subject: &str) -> Refusal {
    let problem = match error {
        Error::Option {
            option: "--email",
            problem,
            ..
        } => format!("the address {problem}"),
        Error::Option { problem, .. } => format!("{subject} {problem}"),
        error => error.to_string(),
    };
    Refusal {
        problem,
        instead: None,
    }
}
