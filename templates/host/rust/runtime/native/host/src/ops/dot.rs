//! sum(x * y)

use cudarc::driver::PushKernelArg;

use super::check;
use crate::array::{self, Array};
use crate::cpu;
use crate::device::Device;
use crate::dtype::{DType, Element};
use crate::error::Result;
use crate::gpu::{Gpu, call::Call, kernels, stream::Stream};
use crate::memory::{Block, MemoryKind};
use crate::sum::sum;

/// Blocks of the kernel at most, and so the partial sums that the host adds. It does not
/// depend on the GPU, so that every GPU gives the same bits.
const PARTS: u32 = 2048;

/// The sum of the products of the elements of `x` and `y`, added in float64 or better.
///
/// `x` and `y` are float32 or float64 arrays of the same shape. Equal input gives equal
/// bits. The sum is complete on return, with `stream` too.
///
/// # Errors
/// `Error::Type` for other dtypes; `Error::Value` for arrays that differ in shape, are not
/// C-contiguous or are on two devices.
pub fn dot(x: &Array, y: &Array, stream: Option<Stream>) -> Result<f64> {
    let (named_x, named_y) = (("x", x), ("y", y));
    for (name, array) in [named_x, named_y] {
        check::dtype(name, array, &[DType::F32, DType::F64])?;
        check::contiguous(name, array)?;
    }
    check::same_dtype(named_x, named_y)?;
    check::same_shape(named_x, named_y)?;
    match x.dtype {
        DType::F32 => run("dot_f32", cpu::dot_f32, x, y, stream),
        _ => run("dot_f64", cpu::dot_f64, x, y, stream),
    }
}

fn run<T: Element>(
    kernel: &'static str,
    on_cpu: fn(&[T], &[T]) -> Result<f64>,
    x: &Array,
    y: &Array,
    stream: Option<Stream>,
) -> Result<f64> {
    match array::common_device(&[x, y])? {
        _ if x.count() == 0 => Ok(0.0),
        // SAFETY: both are contiguous host memory.
        Device::Cpu => unsafe { on_cpu(x.as_slice(), y.as_slice()) },
        Device::Gpu(gpu) => launch::<T>(gpu, kernel, x, y, stream),
    }
}

fn launch<T: Element>(
    gpu: &Gpu,
    kernel: &'static str,
    x: &Array,
    y: &Array,
    stream: Option<Stream>,
) -> Result<f64> {
    let n = x.count();
    let kernel = gpu.kernel(kernel)?;
    let parts = Block::allocate(PARTS as usize * size_of::<f64>(), MemoryKind::Pinned)?;
    let mut call = Call::begin(gpu, stream, &[x, y])?.waiting();
    let (px, py, pparts) = (call.input(x)?, call.input(y)?, parts.address());
    let grid = kernels::grid(n.div_ceil(16 / size_of::<T>()), PARTS);
    let mut launch = call.stream().launch_builder(&kernel);
    // SAFETY: the arguments are those of the kernel: the arrays have `n` elements, and there
    // is a partial sum for every block.
    unsafe { launch.arg(&px).arg(&py).arg(&pparts).arg(&n).launch(grid) }?;
    call.finish()?;
    // SAFETY: the kernel has ended and has written one sum for each block.
    let parts = unsafe {
        std::slice::from_raw_parts(parts.address() as *const f64, grid.grid_dim.0 as usize)
    };
    Ok(sum(parts))
}
