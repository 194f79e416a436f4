//! From files in memory to a folder on disk: all of it, or nothing.

mod destination;
mod git;
mod merge;
mod parents;
mod preflight;
mod workspace;
mod write;

pub use destination::{Destination, Found};
pub use git::Commit;
pub use preflight::try_write;
pub use write::{Repository, Written, write};
