//! `structure!`: a struct that functions take, in arrays or by value.

/// Declares a struct whose arrays functions take, and which they take by value: `p: &mut Particle[n]`, `grid: Grid`.
///
/// ```ignore
/// structure! {
///     pub struct Particle {
///         pos: [f32; 3],
///         energy: f32,
///         id: i32,
///     }
/// }
/// ```
///
/// Members are numbers that any bytes are, so no `bool`, and arrays of such. The struct is laid out as C does.
#[macro_export]
macro_rules! structure {
    ($(#[$attribute:meta])* $visible:vis struct $name:ident { $($member:ident: $type:ty),+ $(,)? }) => {
        $(#[$attribute])*
        #[repr(C)]
        #[derive(Clone, Copy, Default)]
        $visible struct $name {
            $(pub $member: $type,)+
        }

        // SAFETY: any bytes are such numbers.
        #[allow(unsafe_code)]
        unsafe impl $crate::grid::Element for $name {}
        const _: () = { $($crate::grid::of_any_bytes::<$type>();)+ };

        impl $crate::grid::InOver for $name {
            type As = Self;
            #[inline(always)]
            fn in_over(self) -> Self {
                self
            }
        }

        #[cfg(not(target_arch = "nvptx64"))]
        impl $crate::row::Typed for $name {
            const DTYPE: $crate::row::DType = $crate::row::DType::Struct(&$crate::row::Struct {
                name: stringify!($name),
                size: size_of::<$name>(),
                alignment: align_of::<$name>(),
                fields: &[$($crate::row::Field {
                    name: stringify!($member),
                    dtype: <$type as $crate::row::Member>::DTYPE,
                    offset: ::core::mem::offset_of!($name, $member),
                    shape: <$type as $crate::row::Member>::SHAPE,
                }),+],
            });
        }
    };
}
