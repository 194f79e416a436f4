//! `functions!`: several functions in a file.

/// Names the functions of a file that has several, each in a module of its name:
///
/// ```ignore
/// use crate::prelude::*;
///
/// functions! { evens, odds }
///
/// pub mod evens {
///     use crate::prelude::*;
///
///     kernel! {
///         evens<T: i32 | f64>(x: &T[n]) -> y: T[(n + 1) / 2]
///         each y[i] { x[2 * i] }
///     }
/// }
/// ```
#[macro_export]
macro_rules! functions {
    ($($function:ident),+ $(,)?) => {
        /// No function has the name of the file.
        #[cfg(not(target_arch = "nvptx64"))]
        pub const __NAME: &str = $crate::row::SEVERAL;

        /// Functions that the file declares.
        #[cfg(not(target_arch = "nvptx64"))]
        pub static __DECLARED: &[&$crate::library::Declared] = &[$($function::__DECLARED[0]),+];

        #[cfg(not(target_arch = "nvptx64"))]
        const _: () = {
            $(
                assert!(
                    $crate::row::same($function::__NAME, stringify!($function)),
                    concat!("the module ", stringify!($function), " must declare a function of that name")
                );
            )+
        };
    };
}
