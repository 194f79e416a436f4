//! Copies between any two places.

use cudarc::driver::result;

use crate::array::{self, Array, Place};
use crate::check::{self, Fix};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Stream, graph::FOR_HOST_ARRAYS};
use crate::stream_call::StreamCall;

/// Copies `x` to `y`, wherever they are.
///
/// # Errors
/// `Kind::Type` when the dtypes differ; `Kind::Value` for arrays that differ in shape,
/// overlap, are not C-contiguous or are on two devices, and for a read-only `y`.
pub fn assign(x: &Array, y: &Array, stream: Option<Stream>) -> Result<()> {
    let names = || ["x", "y"];
    check::same_dtype(names, x, y)?;
    check::same_shape(names, x, y)?;
    check::writable(|| "y", y)?;
    check::contiguous(|| ("x", Fix::Copy), x)?;
    check::contiguous(|| ("y", Fix::CopyBack), y)?;
    check::disjoint(names, x, y)?;
    match array::common_device([x, y])? {
        _ if x.count() == 0 => Ok(()),
        Device::Gpu(gpu) => copy(gpu, x, y, stream),
        Device::Cpu => {
            // SAFETY: both are contiguous host memory, `y` is writable and apart from `x`.
            unsafe { y.as_bytes_mut().copy_from_slice(x.as_bytes()) };
            Ok(())
        }
    }
}

fn copy(gpu: &Gpu, x: &Array, y: &Array, stream: Option<Stream>) -> Result<()> {
    let arrays = [Some(x), Some(y)];
    let mut call = StreamCall::new(gpu, stream, &arrays);
    call.begin()?;
    if matches!(x.place, Place::Host) || matches!(y.place, Place::Host) {
        call.make_synchronous(FOR_HOST_ARRAYS)?;
    }
    let (from, to, cu_stream) = (x.address as u64, y.address as u64, call.stream().raw());
    // SAFETY: the arrays are contiguous, of the same size, and stay valid during the call.
    unsafe {
        match (&x.place, &y.place) {
            (Place::Host, Place::Host) => {
                y.as_bytes_mut().copy_from_slice(x.as_bytes());
                return call.finish();
            }
            (Place::Host, _) => result::memcpy_htod_async(to, x.as_bytes(), cu_stream),
            (_, Place::Host) => result::memcpy_dtoh_async(y.as_bytes_mut(), from, cu_stream),
            _ => result::memcpy_dtod_async(to, from, x.bytes(), cu_stream),
        }
    }
    .map_err(Error::from)?;
    call.finish()
}

#[cfg(test)]
mod tests {
    use cuvec_spec::DType;

    use super::*;

    #[test]
    fn arrays_of_the_host_are_copied_without_a_gpu() {
        let (from, mut to) = ([1_f32, 2.0, 3.0], [0_f32; 3]);
        let array = |address: *const f32| Array {
            address: address as usize,
            dtype: DType::F32,
            shape: [3][..].into(),
            strides: None,
            writable: true,
            place: Place::Host,
            ready: None,
        };
        let y = array(to.as_mut_ptr());
        assert_eq!(assign(&array(from.as_ptr()), &y, None), Ok(()));
        assert_eq!(to, from);
    }
}
