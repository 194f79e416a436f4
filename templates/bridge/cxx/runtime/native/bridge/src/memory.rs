//! Blocks of memory, and the pool they come from.

use std::sync::Arc;

use host::memory::{self, placement};

use crate::bridge::{MemoryKind, Side, Statistics, Stream};
use crate::error::{Error, Result, call};

/// One share of a block.
pub struct Block(pub Arc<host::Block>);

pub fn allocate(bytes: usize, kind: MemoryKind, zero: bool) -> Result<Box<Block>> {
    call(|| {
        let allocate = if zero {
            host::Block::zeroed
        } else {
            host::Block::allocate
        };
        Ok(Box::new(Block(allocate(bytes, kind.to_host())?)))
    })
}

impl Block {
    pub fn address(&self) -> usize {
        self.0.address()
    }

    pub fn size(&self) -> usize {
        self.0.size()
    }

    pub fn kind(&self) -> MemoryKind {
        match self.0.kind() {
            host::MemoryKind::Managed => MemoryKind::Managed,
            host::MemoryKind::Pinned => MemoryKind::Pinned,
        }
    }

    pub fn gpu(&self) -> i32 {
        self.0.gpu().map_or(-1, |gpu| gpu as i32)
    }

    pub fn synchronize(&self) -> Result<()> {
        call(|| Ok(self.0.synchronize()?))
    }

    pub fn expose(&self) {
        self.0.expose();
    }

    pub fn prefetch(&self, side: Side, offset: usize, bytes: usize, stream: Stream) -> Result<()> {
        call(|| {
            let side = match side {
                Side::Host => memory::Side::Host,
                _ => memory::Side::Device,
            };
            let stream = stream.to_host();
            Ok(placement::prefetch(&self.0, side, offset, bytes, stream)?)
        })
    }
}

impl MemoryKind {
    fn to_host(self) -> host::MemoryKind {
        match self {
            Self::Managed => host::MemoryKind::Managed,
            _ => host::MemoryKind::Pinned,
        }
    }
}

pub fn memory_kind(name: &str) -> Result<MemoryKind> {
    call(|| match host::MemoryKind::from_name(name) {
        Some(host::MemoryKind::Managed) => Ok(MemoryKind::Managed),
        Some(host::MemoryKind::Pinned) => Ok(MemoryKind::Pinned),
        None => Err(Error::value(format!(
            "memory is {name:?}, but it must be \"managed\" or \"pinned\""
        ))),
    })
}

pub fn side(name: &str) -> Result<Side> {
    call(|| {
        Ok(match memory::Side::from_name(name)? {
            memory::Side::Host => Side::Host,
            memory::Side::Device => Side::Device,
        })
    })
}

pub fn memory_statistics() -> Statistics {
    let memory::Statistics { used, held } = memory::statistics();
    Statistics { used, held }
}

pub fn empty_cache() -> Result<()> {
    call(|| Ok(memory::empty_cache()?))
}
