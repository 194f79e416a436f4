//! Makes the two functions of a kernel: the entry of the GPU, and one for the CPU.

/// Defines a kernel.
///
/// ```ignore
/// kernel! {
///     /// y += a * x
///     fn axpy_f32(grid, a: f32, x: Input<f32>[n], y: Output<f32>[n], n: usize) {
///         grid.for_each_with(x, y, |x, y| *y += a * x);
///     }
/// }
/// ```
///
/// Parameters are numbers, [`Input`](super::Input), [`Output`](super::Output) and
/// [`PerBlock`](super::PerBlock). An array is followed by its length, which is computed from
/// the numbers.
///
/// On the GPU this is an entry of the same name, whose arrays are pointers. On the CPU it is
/// `fn axpy_f32(blocks: usize, a: f32, x: &[f32], y: &mut [f32], n: usize)`, which runs so
/// many blocks; [`blocks`](super::blocks) says how many are right.
macro_rules! kernel {
    (
        $(#[$doc:meta])*
        fn $name:ident(
            $grid:ident $(, $parameter:ident: $type:ty $([$length:expr])?)* $(,)?
        ) $body:block
    ) => {
        $(#[$doc])*
        #[allow(unsafe_code)] // the macro's own
        #[cfg(target_arch = "nvptx64")]
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            $($parameter: <$type as $crate::grid::Parameter>::Raw),*
        ) {
            #[deny(unsafe_code)]
            #[inline(always)]
            #[allow(unused_variables)] // a length may be for the declaration alone
            fn body($grid: $crate::grid::Grid, $($parameter: $type),*) $body

            // SAFETY: the host passes what the declaration says.
            $(let $parameter = unsafe {
                <$type as $crate::grid::Parameter>::from_raw($parameter, 0 $(+ $length)?)
            };)*
            body($crate::grid::Grid::here(), $($parameter),*);
        }

        $(#[$doc])*
        #[allow(unsafe_code)] // the macro's own
        #[cfg(not(target_arch = "nvptx64"))]
        pub fn $name(
            blocks: usize,
            $($parameter: <$type as $crate::grid::Parameter>::OnCpu<'_>),*
        ) {
            #[deny(unsafe_code)]
            #[inline(always)]
            #[allow(unused_variables)] // as above
            fn body($grid: $crate::grid::Grid, $($parameter: $type),*) $body

            // Again, with the wider vectors that nearly all x86-64 have today.
            #[deny(unsafe_code)]
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            #[allow(unused_variables)] // as above
            fn body_with_avx2($grid: $crate::grid::Grid, $($parameter: $type),*) $body

            $(let $parameter = <$type as $crate::grid::Parameter>::to_raw(
                $parameter,
                0 $(+ $length)?,
                blocks,
            );)*
            $crate::grid::launch(blocks, |grid| {
                // SAFETY: every block makes its own from arrays of this length, which are
                // borrowed until all blocks have ended.
                $(let $parameter = unsafe {
                    <$type as $crate::grid::Parameter>::from_raw($parameter, 0 $(+ $length)?)
                };)*
                #[cfg(target_arch = "x86_64")]
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the CPU has it.
                    return unsafe { body_with_avx2(grid, $($parameter),*) };
                }
                body(grid, $($parameter),*);
            });
        }
    };
}

pub(crate) use kernel;
