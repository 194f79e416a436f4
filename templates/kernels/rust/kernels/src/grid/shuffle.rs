//! Exchange of values between the threads of a warp.

/// A value that the threads of a warp can hand to each other.
///
/// For a struct of your own, hand its fields on:
///
/// ```ignore
/// impl Shuffle for Range {
///     fn shuffle_down(self, lanes: u32, warp: u32) -> Self {
///         Self {
///             lowest: self.lowest.shuffle_down(lanes, warp),
///             highest: self.highest.shuffle_down(lanes, warp),
///         }
///     }
/// }
/// ```
pub trait Shuffle: Copy {
    /// The value of the thread that is so many lanes after this one. `warp` has a bit for
    /// every thread of the warp; all of them must come here.
    #[must_use]
    fn shuffle_down(self, lanes: u32, warp: u32) -> Self;
}

impl Shuffle for u32 {
    #[inline(always)]
    fn shuffle_down(self, lanes: u32, warp: u32) -> Self {
        #[cfg(target_arch = "nvptx64")]
        return super::ptx::shuffle_down(self, lanes, warp);
        #[cfg(not(target_arch = "nvptx64"))]
        unreachable!("on the CPU one thread has all values, {lanes} {warp}")
    }
}

impl Shuffle for u64 {
    #[inline(always)]
    fn shuffle_down(self, lanes: u32, warp: u32) -> Self {
        let low = (self as u32).shuffle_down(lanes, warp);
        let high = ((self >> 32) as u32).shuffle_down(lanes, warp);
        Self::from(low) | Self::from(high) << 32
    }
}

macro_rules! floats {
    ($($float:ty),*) => {
        $(
            impl Shuffle for $float {
                #[inline(always)]
                fn shuffle_down(self, lanes: u32, warp: u32) -> Self {
                    Self::from_bits(self.to_bits().shuffle_down(lanes, warp))
                }
            }
        )*
    };
}

macro_rules! signed {
    ($($signed:ty: $unsigned:ty),*) => {
        $(
            impl Shuffle for $signed {
                #[inline(always)]
                fn shuffle_down(self, lanes: u32, warp: u32) -> Self {
                    (self as $unsigned).shuffle_down(lanes, warp) as Self
                }
            }
        )*
    };
}

floats!(f32, f64);
signed!(i32: u32, i64: u64);
