//! Loops for the vector units of the CPU that they run on.

/// Defines a function of [`Real`](super::Real) numbers that is compiled twice: for all CPUs, and with
/// the wider vectors that nearly all x86-64 have today (AVX2). Both give the same bits.
macro_rules! vectorized {
    (
        $(#[$doc:meta])*
        fn $name:ident<$real:ident>($($parameter:ident: $type:ty),*) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        fn $name<$real: Real>($($parameter: $type),*) $(-> $result)? {
            #[inline(always)]
            fn anywhere<$real: Real>($($parameter: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn with_avx2<$real: Real>($($parameter: $type),*) $(-> $result)? {
                anywhere($($parameter),*)
            }

            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the CPU has it.
                return unsafe { with_avx2($($parameter),*) };
            }
            anywhere($($parameter),*)
        }
    };
}

pub(super) use vectorized;
