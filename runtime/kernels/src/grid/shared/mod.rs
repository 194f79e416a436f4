//! Memory that the threads of a block share: `shared local: u32[64];`.

#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
#[cfg(target_arch = "nvptx64")]
mod gpu;

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::Shared;
#[cfg(target_arch = "nvptx64")]
pub use gpu::Shared;
