//! Output for the user: results on stdout, errors and notes on stderr.

mod adopted;
mod changes;
mod diff;
mod errors;
mod findings;
mod listing;
mod outline;
mod preview;
mod print;
mod report;

pub use adopted::{Adopted, Remark, adopted};
pub use changes::{Change, Changes, What};
pub use diff::patch;
pub use findings::{Finding, findings};
pub use listing::Listing;
pub use outline::outline;
pub use preview::Preview;
pub use print::{BAD, DIM, GOOD, choose_color, note, styled, told, wrapped};
pub use report::{Report, SCRIPTS, added, exported, inside};
