//! Products of matrices on tensor cores: `each c[i, j] by tile of [128, 128] { … }`.
//!
//! The warps of a block have the sums of a tile of the result in registers, a square of 64 by 64 each. The factors pass
//! through shared memory, a few columns of the left one and rows of the right one at a time, and the next ones are copied
//! there while these are multiplied. The CPU adds the same products in loops.

#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
#[cfg(target_arch = "nvptx64")]
mod fill;
#[cfg(target_arch = "nvptx64")]
mod gpu;
#[cfg(target_arch = "nvptx64")]
mod ptx;

use core::marker::PhantomData;

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::Sums;
#[cfg(target_arch = "nvptx64")]
pub use gpu::Sums;

use super::{Element, Readable, Rows, View, bf16, f16, pack};

/// Rows and columns that a warp has of a tile.
const SIDE: usize = 64;

/// Bytes that a stage has of each row of the left factor, and of each column of the right one.
const DEPTH: usize = 64;

/// Stages in shared memory: one is multiplied, the others are on their way.
const STAGES: usize = 4;

/// Threads of a block that has such a tile. A thread may have 255 registers only in blocks of 256.
#[must_use]
pub const fn tile_threads([rows, columns]: [usize; 2]) -> u32 {
    assert!(
        rows > 0 && rows.is_multiple_of(SIDE) && columns > 0 && columns.is_multiple_of(SIDE),
        "the sides of a tile are multiples of 64"
    );
    let warps = rows / SIDE * (columns / SIDE);
    assert!(
        warps <= 8 && rows + columns <= 384,
        "a tile has 128 by 256 elements at most"
    );
    warps as u32 * 32
}

/// Bytes of shared memory of such a block: 96 KiB at most, which every GPU with such tensor cores has.
#[must_use]
pub const fn tile_shared([rows, columns]: [usize; 2]) -> usize {
    STAGES * (rows + columns) * DEPTH
}

/// A dtype that tensor cores multiply, with sums in float32. The products of `f16` and `bf16` are exact; an `f32` is
/// rounded to the 11 bits of TF32 first, on the GPU alone.
///
/// # Safety
/// It must be what `multiply` and `load_right` take it for.
#[diagnostic::on_unimplemented(
    message = "tensor cores do not multiply `{Self}`",
    note = "they multiply f16, bf16, and f32 as TF32"
)]
pub unsafe trait Multiply: Element + Into<f32> {
    /// Adds a product of 16 rows, 32 bytes of depth and 8 columns, which a warp has in its registers.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    fn multiply(sums: &mut [f32; 4], left: [u32; 4], right: [u32; 2]);

    /// Loads 32 bytes of depth of 16 columns of the right factor for [`multiply`](Self::multiply): `place` says where an
    /// element of this depth and column is in shared memory, from the first of them on.
    ///
    /// # Safety
    /// They must be there.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    unsafe fn load_right(lane: u32, place: impl Fn(u32, u32) -> u32) -> [[u32; 2]; 2];

    /// Rounds bits of this type for `multiply`.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    fn rounded(bits: u32) -> u32;
}

/// A factor of a product.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no factor of a product",
    note = "a factor is `a.panel([i, 0])`, or `computed(|[row, depth]| …)`"
)]
pub trait Operand<E: Multiply> {
    /// The element of this index, which is one of the product's.
    #[doc(hidden)]
    fn element(&self, at: [usize; 2]) -> E;

    /// Where 16 bytes of a row are that begin with an index, and what is inside of `end` and of the array; None where they may
    /// be anywhere but at multiples of 16.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    #[inline(always)]
    fn track(&self, _at: [usize; 2], _end: [usize; 2]) -> Option<Track> {
        None
    }
}

/// Source of the copies of a factor.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy)]
pub struct Track {
    from: *const u8,
    /// Bytes from one row to the next.
    stride: usize,
    end: [usize; 2],
}

/// The part of a matrix that begins with an index, as a factor: `a.panel([i, 0])`. Beyond the edges there are zeros.
#[derive(Clone, Copy)]
pub struct Panel<'a, E> {
    start: *const E,
    shape: [usize; 2],
    /// Elements from one row to the next.
    stride: isize,
    first: [usize; 2],
    array: PhantomData<&'a E>,
}

impl<E> Panel<'_, E> {
    #[inline(always)]
    fn new<M>(of: &View<'_, E, 2, M, Rows>, first: [usize; 2]) -> Self {
        Self {
            start: of.start,
            shape: of.shape(),
            stride: of.strides()[0],
            first,
            array: PhantomData,
        }
    }

    /// Where an element is, if the index is inside.
    #[inline(always)]
    fn place(&self, at: [usize; 2]) -> *const E {
        let (row, column) = (self.first[0] + at[0], self.first[1] + at[1]);
        self.start
            .wrapping_offset(row as isize * self.stride)
            .wrapping_add(column)
    }
}

impl<'a, E: Element, M: Readable> View<'a, E, 2, M> {
    /// The part that begins with this index, as a factor of a product of tiles.
    #[inline(always)]
    #[must_use]
    pub fn panel(&self, first: [usize; 2]) -> Panel<'a, E> {
        Panel {
            start: self.start,
            shape: self.shape(),
            stride: self.shape()[1] as isize,
            first,
            array: PhantomData,
        }
    }
}

impl<'a, E: Element, M: Readable> View<'a, E, 2, M, Rows> {
    /// As of a contiguous matrix.
    #[inline(always)]
    #[must_use]
    pub fn panel(&self, first: [usize; 2]) -> Panel<'a, E> {
        Panel::new(self, first)
    }
}

impl<E: Multiply> Operand<E> for Panel<'_, E> {
    #[inline(always)]
    fn element(&self, at: [usize; 2]) -> E {
        let is_inside = |axis: usize| {
            let left = self.shape[axis].saturating_sub(self.first[axis]);
            at[axis] < left
        };
        if !is_inside(0) || !is_inside(1) {
            return E::default();
        }
        // SAFETY: inside the array, which nobody writes in this pass.
        unsafe { pack::load_one(self.place(at)) }
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn track(&self, at: [usize; 2], end: [usize; 2]) -> Option<Track> {
        let stride = (self.stride as usize).wrapping_mul(size_of::<E>());
        let first = self.start.wrapping_add(self.first[1]).addr();
        if !(first | stride).is_multiple_of(16) {
            return None;
        }
        let left = |axis: usize| self.shape[axis].saturating_sub(self.first[axis]);
        Some(Track {
            from: self.place(at).cast(),
            stride,
            end: [end[0].min(left(0)), end[1].min(left(1))],
        })
    }
}

/// A factor whose elements are calculated: of the left one by the row in the tile and the depth, of the right
/// one by the depth and the column in the tile. No index is beyond the edges of the result, or of the depth.
#[inline(always)]
pub fn computed<E: Multiply, F: Fn([usize; 2]) -> E + Sync>(f: F) -> Computed<F> {
    Computed(f)
}

/// Factor that [`computed`] makes.
pub struct Computed<F>(F);

impl<E: Multiply, F: Fn([usize; 2]) -> E + Sync> Operand<E> for Computed<F> {
    #[inline(always)]
    fn element(&self, at: [usize; 2]) -> E {
        (self.0)(at)
    }
}

/// The warps of a block, which have `M` by `N` elements of a result of dtype `T`.
pub struct Warps<T, B, const M: usize, const N: usize> {
    /// How many of the rows and columns the result has.
    inside: [usize; 2],
    of: PhantomData<fn(B) -> T>,
}

impl<T, B, const M: usize, const N: usize> Warps<T, B, M, N> {
    #[inline(always)]
    pub(super) fn new(first: [usize; 2], shape: [usize; 2]) -> Self {
        Self {
            inside: [M.min(shape[0] - first[0]), N.min(shape[1] - first[1])],
            of: PhantomData,
        }
    }

    /// A sum for each element.
    #[inline(always)]
    #[must_use]
    pub fn zeros(&self) -> Sums<M, N> {
        Sums::new()
    }

    /// The elements: what `f` makes of the index, the sum, and what was there before, which is nothing in a result.
    #[inline(always)]
    #[must_use]
    pub fn map<F: Fn([usize; 2], f32, B) -> T + Sync>(
        &self,
        sums: Sums<M, N>,
        f: F,
    ) -> Mapped<F, M, N> {
        Mapped { sums, f }
    }
}

/// Values of the elements of a tile.
pub struct Mapped<F, const M: usize, const N: usize> {
    pub(super) sums: Sums<M, N>,
    pub(super) f: F,
}

#[cfg(not(target_arch = "nvptx64"))]
mod types {
    use super::{Multiply, bf16, f16};

    // SAFETY: nothing is taken for anything.
    unsafe impl Multiply for f16 {}
    // SAFETY: no code is chosen by it here, where numbers are multiplied one by one.
    unsafe impl Multiply for bf16 {}
    // SAFETY: no code is chosen by it here either.
    unsafe impl Multiply for f32 {}
}

#[cfg(target_arch = "nvptx64")]
mod types {
    use super::{Multiply, bf16, f16, ptx};

    macro_rules! of_16_bits {
        ($($type:ident)*) => {
            $(
                // SAFETY: two of them are in a register.
                unsafe impl Multiply for $type {
                    #[inline(always)]
                    fn multiply(sums: &mut [f32; 4], left: [u32; 4], right: [u32; 2]) {
                        ptx::multiply::$type(sums, left, right);
                    }

                    #[inline(always)]
                    unsafe fn load_right(lane: u32, place: impl Fn(u32, u32) -> u32) -> [[u32; 2]; 2] {
                        // SAFETY: the caller's: each lane says where a row of 8 elements is.
                        let [a, b, c, d] = unsafe { ptx::load_transposed(place(lane % 16, lane / 16 * 8)) };
                        [[a, b], [c, d]]
                    }

                    #[inline(always)]
                    fn rounded(bits: u32) -> u32 {
                        bits
                    }
                }
            )*
        };
    }
    of_16_bits!(f16 bf16);

    // SAFETY: one of them is in a register, rounded.
    unsafe impl Multiply for f32 {
        #[inline(always)]
        fn multiply(sums: &mut [f32; 4], left: [u32; 4], right: [u32; 2]) {
            ptx::multiply::f32(sums, left, right);
        }

        #[inline(always)]
        unsafe fn load_right(lane: u32, place: impl Fn(u32, u32) -> u32) -> [[u32; 2]; 2] {
            let load = |depth, column| {
                // SAFETY: the caller's.
                let value = unsafe {
                    crate::grid::ptx::load_shared(place(depth + lane % 4, column + lane / 4))
                };
                Self::rounded(value)
            };
            [[load(0, 0), load(4, 0)], [load(0, 8), load(4, 8)]]
        }

        #[inline(always)]
        fn rounded(bits: u32) -> u32 {
            ptx::to_tf32(bits)
        }
    }
}
