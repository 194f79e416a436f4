//! What kernels are written with: safe views of memory, of the threads, and of what the threads of a
//! block do together.
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
mod exp;
mod float;
#[cfg(target_arch = "nvptx64")]
mod gpu;
mod half;
pub mod near;
mod over;
mod pack;
pub(crate) mod panic;
mod part;
#[cfg(target_arch = "nvptx64")]
mod ptx;
#[cfg(target_arch = "nvptx64")]
mod scratch;
mod shared;
mod shuffle;
mod sum;
#[cfg(not(target_arch = "nvptx64"))]
mod values;
mod view;
mod written;

#[cfg(not(target_arch = "nvptx64"))]
use cpu as target;
#[cfg(target_arch = "nvptx64")]
use gpu as target;

pub use atom::Atom;
pub use complex::{Complex, complex64, complex128};
pub use element::Element;
pub use float::Float;
pub use half::f16;
pub use over::{Atomic, InOver};
pub use pack::{Lanes, Split, lanes};
#[cfg(not(target_arch = "nvptx64"))]
pub use panic::Panic;
pub use part::{Part, parts};
pub use shared::Shared;
pub use shuffle::{Shuffle, Total};
pub use sum::Sum;
pub use target::{Grid, Warp, fold_lanes};
pub use view::{In, Mut, Out, View};
pub use written::{Target, Writable};
