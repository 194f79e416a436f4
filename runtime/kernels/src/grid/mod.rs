//! Provides kernels with safe views of memory, of the threads, and of the work that the threads of
//! a block do together.
//!
//! A kernel is run by all threads of a grid of blocks. On the GPU a thread is a thread, and
//! neighbouring threads take neighbouring elements. On the CPU one thread runs a whole block,
//! and a block takes elements that lie together. Which elements are a thread's is therefore
//! decided here; a kernel says what is done with them. Results do not depend on how many
//! threads there are of either kind, except that sums are added in another order.

mod atom;
mod complex;
#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
mod element;
mod erf;
mod exp;
pub mod fast;
mod float;
mod fold;
mod found;
#[cfg(target_arch = "nvptx64")]
mod gpu;
mod layout;
mod local;
pub mod near;
mod of_row;
mod optional;
mod over;
mod own;
mod pack;
pub(crate) mod panic;
#[cfg(target_arch = "nvptx64")]
mod parameter;
mod print;
#[cfg(target_arch = "nvptx64")]
mod ptx;
mod rows;
pub(crate) mod shared;
pub mod small_float;
mod solved;
mod sum;
mod team;
mod tensor;
#[cfg(not(target_arch = "nvptx64"))]
mod values;
mod view;
pub mod walk;
mod writes;

#[cfg(not(target_arch = "nvptx64"))]
use cpu as target;
#[cfg(target_arch = "nvptx64")]
use gpu as target;

/// Threads of a block of the GPU, where a declaration does not say how many.
pub const BLOCK: u32 = 256;

/// Slots in which the warps of a block leave values: one for each that it may have, and two for all together.
const SLOTS: usize = 32 + 2;

/// Bytes of a slot.
const SLOT: usize = 64;

/// Bytes of shared memory that reductions of a block take.
pub const REDUCED: usize = SLOTS * SLOT;

/// So many threads of a block.
#[must_use]
pub const fn threads(count: u32) -> u32 {
    assert!(
        count > 0 && count <= 1024 && count.is_multiple_of(32),
        "a block has 32, 64 and so on to 1024 threads"
    );
    count
}

pub use atom::{Atom, Atomic, InOver};
pub use complex::{Complex, Real, complex64, complex128};
pub use element::{AnyBytes, Element, of_any_bytes};
pub use float::Float;
pub use fold::{Numbers, Part, Shuffle, Total, finishing, merging, parts};
pub use found::Found;
pub use layout::{Contiguous, Layout, Rows, Strided};
pub use local::Local;
pub use of_row::{OfRow, Row, Scan};
pub use optional::{Count, Optional};
pub use over::{Elements, Over};
pub use own::{ByThreads, Own, Threads, Tile, tiles};
pub use pack::{Lanes, Split, lanes};
#[cfg(not(target_arch = "nvptx64"))]
pub use panic::Panic;
pub use panic::fail_if;
#[cfg(target_arch = "nvptx64")]
pub use parameter::Parameter;
pub use print::{Printable, check_print, print};
#[cfg(target_arch = "nvptx64")]
pub use ptx::registers_for;
pub use rows::{Loaded, Packs, SharedRows, rows};
pub use shared::Shared;
pub use small_float::*;
pub use solved::solve;
pub use sum::Sum;
pub use target::{Block, Grid, Warp, fold_lanes};
pub use team::{Best, Bounded, Team};
pub use tensor::{Multiply, Operand, Panel, computed, tile_shared, tile_threads};
pub use view::{In, Indices, Mut, Out, Readable, Target, Unwritten, View, Writable, Written};
pub use writes::{AtIndices, RowsOf, Single, Whole};
