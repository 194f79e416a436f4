//! Parameters as kernels get them.

use crate::grid::{Complex, View, f16};
use crate::row::MAX_RANK;

/// A parameter: the bits of a number, or an address and a shape. The GPU is given as many bytes of
/// this as the parameter's type has.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Words([u64; 1 + MAX_RANK]);

impl Words {
    /// # Safety
    /// These must be the words of such a parameter.
    #[must_use]
    pub unsafe fn get<T: Held>(&self) -> T {
        // SAFETY: the caller's.
        unsafe { T::held(self) }
    }

    /// Those with the first so many bytes.
    #[must_use]
    pub fn first(&self, bytes: usize) -> &[u64] {
        &self.0[..bytes.div_ceil(8)]
    }

    #[must_use]
    pub fn address(&self) -> *mut u8 {
        self.0[0] as *mut u8
    }

    pub fn set_address(&mut self, address: *mut u8) {
        self.0[0] = address as u64;
    }

    #[must_use]
    pub fn shape(&self, rank: usize) -> &[u64] {
        &self.0[1..=rank]
    }

    pub fn set_shape(&mut self, shape: &[usize]) {
        for (word, &extent) in self.0[1..].iter_mut().zip(shape) {
            *word = extent as u64;
        }
    }

    pub fn set_extent(&mut self, axis: usize, extent: u64) {
        self.0[1 + axis] = extent;
    }

    /// Takes the bits of a number.
    ///
    /// # Safety
    /// There must be so many bytes, 16 at most.
    pub unsafe fn set_number(&mut self, from: *const u8, size: usize) {
        // SAFETY: the caller's.
        unsafe {
            match size {
                // A whole word, for a load of one waits where only a part was stored. The low bytes come
                // first on all hosts of CUDA's.
                4 => self.0[0] = from.cast::<u32>().read_unaligned().into(),
                8 => self.0[0] = from.cast::<u64>().read_unaligned(),
                _ => from.copy_to_nonoverlapping(self.0.as_mut_ptr().cast(), size),
            }
        }
    }

    /// The number as one of 64 bits.
    #[must_use]
    pub fn integer(&self) -> i64 {
        self.0[0].cast_signed()
    }
}

/// What words can hold.
pub trait Held: Copy {
    /// # Safety
    /// These must be the words of one.
    unsafe fn held(words: &Words) -> Self;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl Held for $number {
                unsafe fn held(words: &Words) -> Self {
                    // SAFETY: the caller's; there is room for the largest.
                    unsafe { words.0.as_ptr().cast::<Self>().read() }
                }
            }
        )*
    };
}

numbers!(
    bool,
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    usize,
    f16,
    f32,
    f64,
    Complex<f32>,
    Complex<f64>
);

impl<T, const R: usize, M> Held for View<'_, T, R, M> {
    unsafe fn held(words: &Words) -> Self {
        let mut shape = [0; R];
        for (extent, &word) in shape.iter_mut().zip(words.shape(R)) {
            *extent = word as usize;
        }
        // SAFETY: the caller's.
        unsafe { Self::new(words.address().cast(), shape) }
    }
}
