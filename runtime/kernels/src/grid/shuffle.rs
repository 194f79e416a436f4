//! Exchange of values between the threads of a warp.

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
    /// What another thread has, where `how` does that for 32 bits.
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

/// A value that threads can add up: what [`Warp::sum`](super::Warp::sum) makes.
pub trait Total: Shuffle + Default + core::ops::Add<Output = Self> {}

impl<S: Shuffle + Default + core::ops::Add<Output = S>> Total for S {}
