//! The address of an array, as a kernel sees it.

use cudarc::driver::PushKernelArg;

use crate::array::{self, Array, Place};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, call::Call, kernels};
use crate::memory::{Block, MemoryKind};

/// The address of the first element of `x`, reported by a kernel that was given `x`; on the
/// CPU, by this function.
///
/// # Errors
/// `Error::Value` when `x` is in host memory that the GPU cannot address.
pub fn address(x: &Array) -> Result<usize> {
    match array::common_device(&[x])? {
        Device::Cpu => Ok(x.address),
        Device::Gpu(_) if matches!(x.place, Place::Host) => Err(Error::Value(
            "x is in host memory, which has no address on the GPU; pass cuvec.asarray(x)"
                .to_owned(),
        )),
        Device::Gpu(gpu) => ask_kernel(gpu, x),
    }
}

fn ask_kernel(gpu: &Gpu, x: &Array) -> Result<usize> {
    let kernel = gpu.kernel("address")?;
    let seen = Block::zeroed(size_of::<u64>(), MemoryKind::Pinned)?;
    let mut call = Call::begin(gpu, None, &[x])?;
    let (px, pseen) = (call.input(x)?, seen.address());
    let mut launch = call.stream().launch_builder(&kernel);
    let one_thread = cudarc::driver::LaunchConfig {
        block_dim: (1, 1, 1),
        ..kernels::grid(1, 1)
    };
    // SAFETY: the arguments are those of the kernel, which writes one `u64`.
    unsafe { launch.arg(&px).arg(&pseen).launch(one_thread) }?;
    call.finish()?;
    // SAFETY: the kernel has ended and has written it.
    Ok(unsafe { *(seen.address() as *const u64) } as usize)
}
