//! Array arguments as functions know them.

use std::ops::Range;
use std::slice;
use std::sync::Arc;

use cuvec_spec::DType;

use crate::device::{self, Device};
use crate::error::{Error, Result};
use crate::gpu::Stream;
use crate::memory::{self, Block};
use crate::shape::{self, InlineShape};

/// Whose memory an array is in.
#[derive(Clone)]
pub enum Place {
    /// The host's alone: copied for the GPU and back.
    Host,
    /// Ours, for the host and the GPU.
    Block(Arc<Block>),
    /// GPU memory of another library.
    Foreign { gpu: usize },
}

/// A borrowed array: the bindings retain its owner while a function runs.
#[derive(Clone)]
pub struct Array {
    /// Address of the first element.
    pub address: usize,
    pub dtype: DType,
    /// Sizes of the dimensions, in elements.
    pub shape: InlineShape,
    /// Bytes from an element to the next one along each dimension; none if it is C-contiguous.
    pub strides: Option<Box<[isize]>>,
    pub writable: bool,
    pub place: Place,
    /// The stream after whose present work the contents are ready.
    pub ready: Option<Stream>,
}

impl Array {
    /// Number of elements.
    pub fn count(&self) -> usize {
        self.shape.count()
    }

    pub fn is_contiguous(&self) -> bool {
        self.strides.is_none()
    }

    /// Checks whether each element lies at a multiple of its size, or where C puts a struct.
    #[inline]
    pub fn is_aligned(&self) -> bool {
        // They are powers of two, and a division takes longer.
        let within = self.dtype.alignment() - 1;
        let strides = self.strides.as_deref().unwrap_or_default();
        self.address & within == 0 && strides.iter().all(|&it| it as usize & within == 0)
    }

    /// Checks whether the elements are aligned, and fill its range, in any order: broadcast ones count once.
    pub fn is_dense(&self) -> bool {
        let strides = self.strides.iter().flatten();
        let repeats = self.shape.iter().zip(strides).filter(|it| *it.1 == 0);
        let repeats = repeats.map(|it| *it.0).product::<usize>();
        self.is_aligned() && self.range().len() <= self.bytes() / repeats.max(1)
    }

    /// Bytes of its elements.
    pub fn bytes(&self) -> usize {
        self.count() * self.dtype.size()
    }

    /// The addresses from its lowest byte to its highest.
    pub fn range(&self) -> Range<usize> {
        match &self.strides {
            None => self.address..self.address + self.bytes(),
            Some(strides) => self.range_of(strides),
        }
    }

    #[cold]
    fn range_of(&self, strides: &[isize]) -> Range<usize> {
        let reach = shape::reach(shape::wide(&self.shape, strides), self.dtype);
        let at = |offset: i128| self.address.wrapping_add(offset as usize);
        at(reach.start)..at(reach.end)
    }

    /// The index of the GPU that the array is on.
    pub fn gpu(&self) -> Option<usize> {
        match &self.place {
            Place::Host => None,
            Place::Block(block) => block.gpu(),
            Place::Foreign { gpu } => Some(*gpu),
        }
    }

    pub(crate) fn is_large(&self) -> bool {
        memory::is_large(self.bytes())
    }

    /// True if it is large and belongs on the GPU now.
    pub(crate) fn is_large_on_gpu(&self) -> bool {
        let on_gpu = || match &self.place {
            Place::Host => false,
            Place::Block(block) => block.is_on_gpu(),
            Place::Foreign { .. } => true,
        };
        self.is_large() && on_gpu()
    }

    /// True if an asynchronous call on `stream` uses memory whose owner may reuse it meanwhile:
    /// another library's, which is ordered by another stream.
    pub fn may_be_reused(&self, stream: Stream) -> bool {
        matches!(self.place, Place::Foreign { .. }) && self.ready != Some(stream)
    }

    /// The bytes of its range.
    ///
    /// # Safety
    /// The memory must be valid and the host's to read.
    pub unsafe fn as_bytes(&self) -> &[u8] {
        let range = self.range();
        match range.len() {
            0 => &[],
            // SAFETY: the caller's.
            bytes => unsafe { slice::from_raw_parts(range.start as *const u8, bytes) },
        }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// The memory must be valid, and the host's to write; no other reference to it may exist.
    /// Python code that writes to the same array at the same time is a race, as it is with NumPy.
    #[allow(clippy::mut_from_ref)] // an `Array` points to its elements, it does not own them
    pub unsafe fn as_bytes_mut(&self) -> &mut [u8] {
        let range = self.range();
        match range.len() {
            0 => &mut [],
            // SAFETY: the caller's.
            bytes => unsafe { slice::from_raw_parts_mut(range.start as *mut u8, bytes) },
        }
    }
}

/// The device that a function with these arguments runs on: theirs, or the current one
/// when all of them are in host memory.
///
/// # Errors
/// `Kind::Value` when they are on two GPUs.
pub fn common_device<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<Device> {
    let mut gpus = arrays.into_iter().filter_map(Array::gpu);
    let Some(first) = gpus.next() else {
        return device::current();
    };
    if let Some(other) = gpus.find(|&gpu| gpu != first) {
        return Err(Error::wrong_value(format_args!(
            "the arrays are on two devices, GPU {first} and GPU {other}; copy one to the other's"
        )));
    }
    device::gpu(first).map(Device::Gpu)
}

/// Checks whether no element of one array has a byte of the other because both repeat themselves at
/// one distance, with different bytes of what is between.
pub fn are_apart(x: &Array, y: &Array) -> bool {
    let strides = x.strides.iter().flatten();
    strides.map(|it| it.saturating_abs()).any(|period| {
        let (Some(of_x), Some(of_y)) = (width(x, period), width(y, period)) else {
            return false;
        };
        let apart = (y.address as i128 - x.address as i128).rem_euclid(period as i128);
        apart >= of_x && apart + of_y <= period as i128
    })
}

/// How many bytes from its first one an array has within a period; none if it does not repeat itself so.
fn width(array: &Array, period: isize) -> Option<i128> {
    let mut width = array.dtype.size() as i128;
    for (&size, &stride) in array.shape.iter().zip(array.strides.iter().flatten()) {
        let is_repeated = period > 0 && stride % period == 0;
        match size {
            1 => {}
            _ if is_repeated => {}
            _ if stride < 0 => return None,
            _ => width += (size as i128 - 1) * stride as i128,
        }
    }
    (array.strides.is_some() && width <= period as i128).then_some(width)
}

#[cfg(test)]
mod tests {
    use cuvec_spec::DType;

    use super::*;
    use crate::array::Place;

    fn array(place: Place) -> Array {
        Array {
            address: 4096,
            dtype: DType::F64,
            shape: InlineShape::from(&[2, 3][..]),
            strides: None,
            writable: true,
            place,
            ready: None,
        }
    }

    #[test]
    fn sizes() {
        let array = array(Place::Host);
        assert_eq!((array.count(), array.bytes()), (6, 48));
        assert_eq!(array.range(), 4096..4144);
    }

    #[test]
    fn memory_of_others_may_be_reused_on_other_streams() {
        let mut array = array(Place::Foreign { gpu: 0 });
        array.ready = Some(Stream(7));
        assert!(array.may_be_reused(Stream(8)));
        assert!(!array.may_be_reused(Stream(7)));
        array.ready = Some(Stream(0)); // the default stream has two handles
        assert!(!array.may_be_reused(Stream::LEGACY_DEFAULT));
        assert!(array.may_be_reused(Stream(2)));
        array.place = Place::Host;
        assert!(!array.may_be_reused(Stream(8)));
    }

    #[test]
    fn two_gpus_are_refused_by_name() {
        let (x, y) = (
            array(Place::Foreign { gpu: 0 }),
            array(Place::Foreign { gpu: 1 }),
        );
        let Err(error) = common_device([&x, &array(Place::Host), &y]) else {
            panic!("accepted arrays on two GPUs");
        };
        let message = error.to_string();
        assert!(message.contains("GPU 0 and GPU 1"), "{message}");
    }

    fn scattered(address: usize, shape: &[usize], strides: &[isize]) -> Array {
        Array {
            address,
            dtype: DType::F32,
            shape: shape.into(),
            strides: Some(strides.into()),
            writable: true,
            place: Place::Host,
            ready: None,
        }
    }

    #[test]
    fn parts_of_rows_are_apart() {
        // rows of 16 bytes
        let column =
            |first: usize, count: usize| scattered(4096 + 4 * first, &[3, count], &[16, 4]);
        for (x, y, expected) in [
            (column(0, 1), column(1, 3), true),
            (column(2, 2), column(0, 2), true),
            (column(0, 2), column(1, 1), false),
            (column(0, 2), column(0, 2), false),
            (column(0, 2), scattered(4096 + 8, &[6], &[16]), true),
            (column(0, 2), scattered(4096 + 8, &[6], &[20]), false),
            (column(2, 1), scattered(4096, &[3, 2], &[-16, 4]), true),
            (column(1, 1), scattered(4096, &[3, 2], &[-16, 4]), false),
            (
                column(0, 1),
                scattered(4096 + 12, &[3, 2], &[16, -4]),
                false,
            ),
            (column(0, 2), scattered(4096 + 14, &[3], &[16]), false),
            (column(0, 1), scattered(4096, &[3], &[0]), false),
            (column(1, 1), scattered(4096, &[3, 1], &[16, -4]), true),
        ] {
            assert_eq!(are_apart(&x, &y), expected);
            assert_eq!(are_apart(&y, &x), expected);
        }
        let dense = Array {
            strides: None,
            ..column(3, 1)
        };
        assert!(!are_apart(&column(0, 1), &dense));
    }
}
