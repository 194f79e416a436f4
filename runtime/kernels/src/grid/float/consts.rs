//! Constants of all floating-point types, by the names that they have in std.

/// Declares them, or defines them for a type.
macro_rules! all {
    (declared) => {
        $crate::grid::float::consts::table! { [declared] }
    };
    (small) => {
        $crate::grid::float::consts::table! { [small] }
    };
    ($float:ident) => {
        $crate::grid::float::consts::table! { [of $float] }
    };
}

macro_rules! table {
    ($how:tt) => {
        $crate::grid::float::consts::each! {
            $how
            [INFINITY NEG_INFINITY NAN]
            [
                PI TAU E FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI
                FRAC_1_SQRT_2 SQRT_2 LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2
            ]
        }
    };
}

macro_rules! each {
    ([declared] [$($limit:ident)*] [$($name:ident)*]) => {
        /// 0.
        const ZERO: Self;
        /// 1.
        const ONE: Self;
        $(#[doc = concat!("As in std's `f32`.")] const $limit: Self;)*
        $(#[doc = concat!("As in `std::f32::consts`.")] const $name: Self;)*
    };
    ([of $float:ident] [$($limit:ident)*] [$($name:ident)*]) => {
        const ZERO: Self = 0.0;
        const ONE: Self = 1.0;
        $(const $limit: Self = $float::$limit;)*
        $(const $name: Self = core::$float::consts::$name;)*
    };
    ([small] [$($limit:ident)*] [$($name:ident)*]) => {
        const ZERO: Self = Self::rounded(0.0);
        const ONE: Self = Self::rounded(1.0);
        $(const $limit: Self = Self::rounded(f32::$limit);)*
        $(const $name: Self = Self::rounded(core::f32::consts::$name);)*
    };
}

pub(super) use {all, each, table};
