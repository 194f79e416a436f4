//! The memory of C++ vectors, found again by its address.

use std::collections::BTreeMap;
use std::sync::Arc;

use host::fork::{Lock, Locked};
use host::{Block, MemoryKind};

use crate::error::{Error, Result, call};
use crate::memory;

/// By the address of their first byte.
fn vectors() -> Locked<'static, BTreeMap<usize, Arc<Block>>> {
    static VECTORS: Lock<BTreeMap<usize, Arc<Block>>> = Lock::new(BTreeMap::new());
    VECTORS.lock()
}

pub fn allocate_vector(bytes: usize) -> Result<*mut u8> {
    call(|| {
        let block = Block::allocate(bytes, MemoryKind::Managed)?;
        let address = block.address();
        vectors().insert(address, block);
        Ok(address as *mut u8)
    })
}

/// # Safety
/// `address` must be from [`allocate_vector`], and the memory no longer in use.
pub unsafe fn deallocate_vector(address: *const u8) {
    let block = vectors().remove(&(address as usize));
    drop(block); // after the lock
}

pub fn block_of_vector(address: usize) -> Result<Box<memory::Block>> {
    call(|| {
        let block = vectors().get(&address).cloned();
        let block = block.ok_or_else(|| Error::value("no CuVec starts at this address"))?;
        Ok(Box::new(memory::Block(block)))
    })
}
