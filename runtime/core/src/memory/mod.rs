//! Memory that the host and the GPU both address, pooled.

mod advice;
mod available;
mod block;
mod habit;
pub mod held;
mod huge_pages;
mod pending;
pub mod placement;
mod pool;
mod side;
mod sight;
mod source;

pub use block::Block;
pub use pool::{Statistics, empty_cache, statistics};
pub use side::Side;

/// The kinds of memory a caller can ask for. Without a GPU both are plain host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Unified memory, which moves between host and GPU.
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
