//! From files in memory to a folder on disk: all of it, or nothing.

mod destination;
mod existing;
mod git;
mod history;
mod merge;
mod parents;
mod preflight;
mod workspace;
mod write;

pub use destination::{Destination, Found};
pub use existing::{Existing, existing};
pub use git::Commit;
pub use history::{History, history};
pub use preflight::try_write;
pub use workspace::check_free;
pub use write::{Repository, Written, write};
