//! Values that a fold combines: from the threads of a warp, and the results of the blocks.

use super::{Out, View, panic};

/// A value that the threads of a warp can hand to each other, 32 bits at a time.
///
/// For a struct of your own, hand its fields on:
///
/// ```ignore
/// impl Shuffle for Range {
///     fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
///         Self { lowest: self.lowest.shuffle(how), highest: self.highest.shuffle(how) }
///     }
/// }
/// ```
pub trait Shuffle: Copy {
    /// Returns another thread's value, where `how` does that for 32 bits.
    #[must_use]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self;
}

impl Shuffle for u32 {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        how(self)
    }
}

impl Shuffle for u64 {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        Self::from(how(self as u32)) | Self::from(how((self >> 32) as u32)) << 32
    }
}

impl Shuffle for bool {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        how(self.into()) != 0
    }
}

macro_rules! through {
    ($($type:ty: $bits:ty, $to:expr, $from:expr;)*) => {
        $(
            impl Shuffle for $type {
                #[inline(always)]
                fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
                    let bits: $bits = $to(self);
                    $from(bits.shuffle(how))
                }
            }
        )*
    };
}

through! {
    f32: u32, f32::to_bits, f32::from_bits;
    f64: u64, f64::to_bits, f64::from_bits;
    i32: u32, i32::cast_unsigned, u32::cast_signed;
    i64: u64, i64::cast_unsigned, u64::cast_signed;
    u8: u32, u32::from, |bits| bits as u8;
    u16: u32, u32::from, |bits| bits as u16;
    i8: u32, |value| value as u32, |bits| bits as i8;
    i16: u32, |value| value as u32, |bits| bits as i16;
    usize: u64, |value| value as u64, |bits| bits as usize;
}

impl<A: Shuffle, B: Shuffle> Shuffle for (A, B) {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        (self.0.shuffle(how), self.1.shuffle(how))
    }
}

impl<A: Shuffle, B: Shuffle, C: Shuffle> Shuffle for (A, B, C) {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        (
            self.0.shuffle(how),
            self.1.shuffle(how),
            self.2.shuffle(how),
        )
    }
}

/// Returns the function that merges values such as this: so the compiler knows a closure's types.
#[inline(always)]
pub fn merging<A, F: Fn(A, A) -> A>(_start: &A, merge: F) -> F {
    merge
}

/// Returns the function that makes results of a value such as this.
#[inline(always)]
pub fn finishing<A, V, F: Fn(A) -> V>(_start: &A, finish: F) -> F {
    finish
}

/// A value that threads can add up: what [`Warp::sum`](super::Warp::sum) makes.
pub trait Total: Shuffle + Default + core::ops::Add<Output = Self> {}

impl<S: Shuffle + Default + core::ops::Add<Output = S>> Total for S {}

/// Result of the fold of a block.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Part([u64; 8]);

/// Parts of a fold over so many elements: the same on every machine, so that equal input gives equal
/// bits.
#[must_use]
pub fn parts(len: usize) -> usize {
    len.div_ceil(2048).min(2048)
}

/// The elements of the part of this index, of so many: neighbours.
#[inline(always)]
pub(super) fn chunk(part: usize, parts: usize, len: usize) -> core::ops::Range<usize> {
    let size = len.div_ceil(parts);
    (part * size).min(len)..(part * size + size).min(len)
}

/// Results that are numbers: one, or several.
pub trait Numbers {
    type Values;

    /// # Safety
    /// No other thread sets them.
    unsafe fn set(self, values: Self::Values);
}

impl<T: Copy> Numbers for View<'_, T, 0, Out> {
    type Values = T;
    #[inline(always)]
    unsafe fn set(self, value: T) {
        // SAFETY: a number has one element.
        unsafe { self.start.write(value) };
    }
}

macro_rules! several {
    ($($($view:ident $at:tt),+;)*) => {
        $(
            impl<$($view: Numbers),+> Numbers for ($($view,)+) {
                type Values = ($($view::Values,)+);
                #[inline(always)]
                unsafe fn set(self, values: Self::Values) {
                    // SAFETY: the caller's.
                    unsafe { $(self.$at.set(values.$at);)+ }
                }
            }
        )*
    };
}

several! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

impl View<'_, Part, 1, Out> {
    /// # Safety
    /// No other thread has this index.
    #[inline(always)]
    pub unsafe fn put<A: Copy>(&self, index: usize, value: A) {
        const { assert!(size_of::<A>() <= size_of::<Part>() && align_of::<A>() <= align_of::<Part>()) };
        panic::check_index(index, self.len());
        // SAFETY: inside the array, and large enough.
        unsafe { self.start.add(index).cast::<A>().write(value) };
    }

    /// # Safety
    /// An `A` must have been put there by the pass before.
    #[inline(always)]
    pub unsafe fn get<A: Copy>(&self, index: usize) -> A {
        panic::check_index(index, self.len());
        // SAFETY: the caller's.
        unsafe { self.start.add(index).cast::<A>().read() }
    }
}
