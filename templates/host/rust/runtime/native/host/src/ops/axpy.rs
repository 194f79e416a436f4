//! y += a * x

use cudarc::driver::{DeviceRepr, PushKernelArg};

use super::check;
use crate::array::{self, Array};
use crate::cpu;
use crate::device::Device;
use crate::dtype::{DType, Element};
use crate::error::Result;
use crate::gpu::{Gpu, call::Call, kernels, stream::Stream};

/// Adds `a * x` to `y`, element by element.
///
/// `x` and `y` are float32 or float64 arrays of the same shape that do not overlap. With
/// `stream` the result is complete when the stream has reached it, otherwise on return.
///
/// # Errors
/// `Error::Type` for other dtypes; `Error::Value` for arrays that differ in shape, overlap,
/// are not C-contiguous or are on two devices, and for a read-only `y`.
pub fn axpy(a: f64, x: &Array, y: &Array, stream: Option<Stream>) -> Result<()> {
    let (named_x, named_y) = (("x", x), ("y", y));
    for (name, array) in [named_x, named_y] {
        check::dtype(name, array, &[DType::F32, DType::F64])?;
        check::contiguous(name, array)?;
    }
    check::same_dtype(named_x, named_y)?;
    check::same_shape(named_x, named_y)?;
    check::writable("y", y)?;
    check::disjoint(named_x, named_y)?;
    match x.dtype {
        DType::F32 => run("axpy_f32", cpu::axpy_f32, a as f32, x, y, stream),
        _ => run("axpy_f64", cpu::axpy_f64, a, x, y, stream),
    }
}

fn run<T: Element + DeviceRepr>(
    kernel: &'static str,
    on_cpu: fn(T, &[T], &mut [T]) -> Result<()>,
    a: T,
    x: &Array,
    y: &Array,
    stream: Option<Stream>,
) -> Result<()> {
    match array::common_device(&[x, y])? {
        _ if x.count() == 0 => Ok(()),
        // SAFETY: both are contiguous host memory, `y` is writable and apart from `x`.
        Device::Cpu => unsafe { on_cpu(a, x.as_slice(), y.as_mut_slice()) },
        Device::Gpu(gpu) => launch(gpu, kernel, a, x, y, stream),
    }
}

fn launch<T: Element + DeviceRepr>(
    gpu: &Gpu,
    kernel: &'static str,
    a: T,
    x: &Array,
    y: &Array,
    stream: Option<Stream>,
) -> Result<()> {
    let n = x.count();
    let kernel = gpu.kernel(kernel)?;
    let mut call = Call::begin(gpu, stream, &[x, y])?;
    let (px, py) = (call.input(x)?, call.inout(y)?);
    let grid = kernels::grid(n.div_ceil(16 / size_of::<T>()), i32::MAX as u32);
    let mut launch = call.stream().launch_builder(&kernel);
    // SAFETY: the arguments are those of the kernel, and the arrays have `n` elements.
    unsafe { launch.arg(&a).arg(&px).arg(&py).arg(&n).launch(grid) }?;
    call.finish()
}
