//! Memory that the host and the GPU both address, pooled.

mod available;
mod block;
mod expectation;
mod huge_pages;
mod mem_advise;
mod migration_policy;
mod pending;
mod placement;
mod pool;
mod residency;
mod side;
mod source;

pub use block::Block;
pub(crate) use expectation::Expectation;
pub(crate) use placement::is_large;
pub use pool::{Statistics, empty_cache, statistics};
pub use side::Side;

/// The kinds of memory a caller can ask for. Without a GPU both are plain host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Unified memory, which migrates between host and GPU.
    Managed,
    /// Page-locked host memory that the GPU addresses where it is.
    Pinned,
}

impl MemoryKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Pinned => "pinned",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Managed, Self::Pinned]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}
