//! Asking the user. What is asked, and in which order, is `ask.rs`.

mod edit;
mod line;
mod look;
mod question;
mod screen;
mod terminal;

use std::io::{IsTerminal, stderr, stdin};

use crate::args::New;
use crate::error::{Error, Result};
pub use question::{Choice, Choosable, Line, Refusal, Reply};
pub use screen::shortened;
pub use terminal::Terminal;

/// The prompt for this run, if anything is to be asked.
///
/// Whoever gives a name gets a package without being asked, so that a line copied from a README does not wait for
/// answers that the next line of it would give.
pub fn for_terminal(args: &New) -> Result<Option<Terminal>> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let somebody = stdin().is_terminal() && stderr().is_terminal() && !dumb;
    if args.interactive && !somebody {
        return Err(Error::option(
            "--interactive",
            "needs a terminal",
            "give NAME and options instead; `cuvec-new --help` lists them",
        ));
    }
    let silent = args.yes || args.quiet || args.json;
    let open = args.interactive || args.said.name.is_none();
    Ok((somebody && open && !silent).then(Terminal::new))
}
