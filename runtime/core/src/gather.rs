//! Copies of arrays of any strides into the order of C, which is what most bodies take, and back.

use std::ptr;

use cuvec_spec::{DType, MAX_RANK};

use crate::array::Array;
use crate::error::{Error, Result};
use crate::interrupt::Watch;
use crate::parallel;
use crate::shape;

/// Bytes that a thread copies at least.
const GRAIN: usize = 256 << 10;

/// A dimension of an array that is copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Dimension {
    pub size: usize,
    /// Bytes from an element to the next one.
    pub stride: isize,
}

/// How to find the elements of an array, one after the other: with as few dimensions as there can be.
pub struct Gather {
    pub from: usize,
    pub element: usize,
    pub alignment: usize,
    pub count: usize,
    pub dimensions: [Dimension; MAX_RANK],
    pub rank: usize,
}

impl Gather {
    /// # Errors
    /// `Kind::Value` for an array with too many dimensions that cannot be merged.
    pub fn of(name: &str, array: &Array) -> Result<Self> {
        let mut gather = Self {
            from: array.address,
            element: array.dtype.size(),
            alignment: array.dtype.alignment(),
            count: array.count(),
            dimensions: Default::default(),
            rank: 0,
        };
        let strides = array.strides.iter().flatten();
        for (&size, &stride) in array.shape.iter().zip(strides) {
            if size == 1 {
                continue;
            }
            match gather.dimensions[..gather.rank].last_mut() {
                Some(last) if last.stride == stride.wrapping_mul(size as isize) => {
                    *last = Dimension {
                        size: last.size * size,
                        stride,
                    };
                }
                _ if gather.rank == MAX_RANK => {
                    return Err(Error::wrong_value(format_args!(
                        "{name} has more than {MAX_RANK} dimensions with strides of their own; pass a \
                         copy that is C-contiguous"
                    )));
                }
                _ => {
                    gather.dimensions[gather.rank] = Dimension { size, stride };
                    gather.rank += 1;
                }
            }
        }
        Ok(gather)
    }

    /// Describes adjacent elements.
    pub fn dense(from: usize, dtype: DType, count: usize) -> Self {
        let (element, alignment) = (dtype.size(), dtype.alignment());
        let mut dimensions = [Dimension::default(); MAX_RANK];
        dimensions[0] = Dimension {
            size: count,
            stride: element as isize,
        };
        Self {
            from,
            element,
            alignment,
            count,
            dimensions,
            rank: 1,
        }
    }

    /// Copies the elements on the host, on several threads if that pays. Returns whether it was
    /// interrupted, and is not complete.
    ///
    /// # Safety
    /// The array must be valid and the host's to read, and `to` have room for its elements.
    pub unsafe fn copy(&self, to: *mut u8, watch: &mut Watch) -> bool {
        let row = |strided, dense, row| {
            // SAFETY: the caller's: a row of the array, and room for it.
            unsafe { copy_row(strided as *const u8, dense as *mut u8, row, self.element) };
        };
        self.each_row(to as usize, || watch.interrupted(), row)
    }

    /// Copies as many elements from the order of C into the array, and is never interrupted.
    ///
    /// # Safety
    /// The array must be valid and the host's to write, its elements be apart, and `from` have as many.
    pub unsafe fn put_back(&self, from: *const u8) {
        let row = |strided, dense, row| {
            // SAFETY: the caller's: a row of the array, and as many elements.
            unsafe { put_row(dense as *const u8, strided as *mut u8, row, self.element) };
        };
        self.each_row(from as usize, || false, row);
    }

    /// Calls `copy` with where each row of the array is, and where it is in the order of C.
    fn each_row(
        &self,
        dense: usize,
        interrupted: impl FnMut() -> bool,
        copy: impl Fn(usize, usize, Dimension) + Sync,
    ) -> bool {
        if self.count == 0 {
            return false;
        }
        let (outer, inner) = match self.dimensions[..self.rank].split_last() {
            Some((&inner, outer)) => (outer, inner),
            None => (&[][..], Dimension { size: 1, stride: 0 }),
        };
        let bytes = inner.size * self.element;
        let rows = self.count / inner.size;
        let rows_each = GRAIN.div_ceil(bytes);
        let task = |task: usize| {
            let first = task * rows_each;
            for row in first..rows.min(first + rows_each) {
                let outer = outer.iter().map(|it| (it.size, it.stride));
                let strided = self.from.wrapping_add_signed(shape::offset(row, outer));
                copy(strided, dense + row * bytes, inner);
            }
        };
        parallel::run(rows.div_ceil(rows_each), interrupted, task)
    }
}

/// # Safety
/// The elements must be valid, and `to` have room for them.
unsafe fn copy_row(from: *const u8, to: *mut u8, row: Dimension, element: usize) {
    // SAFETY: the caller's, here and below.
    unsafe {
        if row.stride == element as isize {
            return ptr::copy_nonoverlapping(from, to, row.size * element);
        }
        match element {
            1 => copy_elements::<u8>(from, to, row),
            2 => copy_elements::<u16>(from, to, row),
            4 => copy_elements::<u32>(from, to, row),
            8 => copy_elements::<u64>(from, to, row),
            16 => copy_elements::<u128>(from, to, row),
            _ => copy_structs(from, to, row, element),
        }
    }
}

/// # Safety
/// As above.
unsafe fn copy_elements<T>(from: *const u8, to: *mut u8, row: Dimension) {
    let (mut from, mut to) = (from.cast::<T>(), to.cast::<T>());
    for _ in 0..row.size {
        // SAFETY: the caller's; elements need not be aligned.
        unsafe {
            to.write_unaligned(from.read_unaligned());
            to = to.add(1);
        }
        from = from.wrapping_byte_offset(row.stride);
    }
}

/// # Safety
/// As above.
unsafe fn copy_structs(from: *const u8, to: *mut u8, row: Dimension, element: usize) {
    for place in 0..row.size {
        let from = from.wrapping_byte_offset(row.stride * place as isize);
        // SAFETY: the caller's.
        unsafe { ptr::copy_nonoverlapping(from, to.add(place * element), element) };
    }
}

/// # Safety
/// As for [`copy_row`], in the other direction.
unsafe fn put_row(from: *const u8, to: *mut u8, row: Dimension, element: usize) {
    for place in 0..row.size {
        let to = to.wrapping_byte_offset(row.stride * place as isize);
        // SAFETY: the caller's.
        unsafe { ptr::copy_nonoverlapping(from.add(place * element), to, element) };
    }
}

#[cfg(test)]
mod tests {
    use cuvec_spec::DType;

    use super::*;
    use crate::array::Place;

    fn view(data: &[f32], first: usize, shape: &[usize], strides: &[isize]) -> Array {
        Array {
            address: data[first..].as_ptr() as usize,
            dtype: DType::F32,
            shape: shape.into(),
            strides: Some(strides.into()),
            writable: false,
            place: Place::Host,
            ready: None,
        }
    }

    fn copied(array: &Array) -> Vec<f32> {
        let mut to = vec![0_f32; array.count()];
        let gather = Gather::of("x", array).unwrap();
        // SAFETY: as many elements.
        let interrupted = unsafe { gather.copy(to.as_mut_ptr().cast(), &mut Watch::default()) };
        assert!(!interrupted);
        to
    }

    #[test]
    fn elements_come_in_the_order_of_c() {
        let data: Vec<f32> = (0..6_u8).map(f32::from).collect();
        let columns = view(&data, 0, &[3, 2], &[4, 12]);
        assert_eq!(copied(&columns), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        let reversed = view(&data, 5, &[6], &[-4]);
        assert_eq!(copied(&reversed), [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
        let repeated = view(&data, 1, &[2, 2, 1], &[4, 0, 99]);
        assert_eq!(copied(&repeated), [1.0, 1.0, 2.0, 2.0]);
        assert_eq!(copied(&view(&data, 2, &[], &[])), [2.0]);
        assert!(copied(&view(&data, 2, &[2, 0], &[4, 4])).is_empty());
    }

    #[test]
    fn elements_are_put_back_where_they_were() {
        let data = [0_f32; 12];
        let columns = view(&data, 11, &[2, 3], &[-8, -16]);
        let gather = Gather::of("x", &columns).unwrap();
        let values = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
        // SAFETY: as many elements, which are apart.
        unsafe { gather.put_back(values.as_ptr().cast()) };
        assert_eq!(copied(&columns), values);
        assert_eq!(data.iter().filter(|it| **it == 0.0).count(), 6);
    }

    #[test]
    fn large_arrays_are_copied_by_several() {
        let (m, n) = (700, 1100);
        let data: Vec<f32> = (0..m * n).map(|i| i as f32).collect();
        let transposed = copied(&view(&data, 0, &[n, m], &[4, 4 * n as isize]));
        for (i, value) in transposed.into_iter().enumerate() {
            assert_eq!(value, (i % m * n + i / m) as f32);
        }
    }

    #[test]
    fn dimensions_are_merged() {
        let data = [0_f32; 24];
        let gather = Gather::of("x", &view(&data, 0, &[2, 1, 3, 4], &[48, 7, 16, 4])).unwrap();
        assert_eq!(gather.rank, 1);
        assert_eq!(
            gather.dimensions[0],
            Dimension {
                size: 24,
                stride: 4
            }
        );
        let many = Gather::of("x", &view(&data, 0, &[2; 9], &[0, 4, 0, 4, 0, 4, 0, 4, 0]));
        let message = many.err().unwrap().to_string();
        assert!(
            message.starts_with("x has more than 8 dimensions"),
            "{message}"
        );
    }
}
