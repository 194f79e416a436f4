//! Options as enums in Rust.

/// An enum that is called like the option, and what a parameter has to be.
#[doc(hidden)]
#[macro_export]
macro_rules! __option {
    ($x:ident $($choice:ident)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(non_camel_case_types, dead_code)] // calls make them
        #[repr(i32)]
        pub enum $x {
            $($choice),+
        }

        const _: () = {
            #[allow(unsafe_code)] // the macro's own
            mod __lanes {
                $crate::__same_for_all! { [] super::$x }
            }

            impl $crate::grid::InOver for $x {
                type As = Self;
                #[inline(always)]
                fn in_over(self) -> Self {
                    self
                }
            }

            #[cfg(not(target_arch = "nvptx64"))]
            impl $crate::row::Typed for $x {
                const DTYPE: $crate::row::DType = <i32 as $crate::row::Typed>::DTYPE;
            }
        };
    };
}
