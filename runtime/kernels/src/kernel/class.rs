//! `class!`: a constructor and methods, which are functions that have the state of an object.

/// Declares a class.
///
/// ```ignore
/// class! {
///     /// The background of a film: a running mean of its frames.
///     Background(height: usize, width: usize, *, rate: f32 = 0.5)
///     state mean: f32[height, width], weight: f32[];
///     each weight[] { rate }
///
///     /// The new part of a frame, which becomes part of the background.
///     fn subtract(frame: &f32[height, width]) -> difference: f32[height, width]
///     each difference[i, j] { frame[[i, j]] - mean[[i, j]] }
///     each mean[i, j] { mean + weight[[]] * difference[[i, j]] }
/// }
/// ```
///
/// The constructor is first, declared as in [`kernel!`](crate::kernel), without results. Its dtype variables belong to
/// the class: an object has the dtypes that it was constructed for. Behind it is the state of an object: arrays, in memory
/// of its own on the side where it lives, which start as zeros; one without extents is a scalar. Passes of the constructor and of the methods read and write them as arguments declared with `&mut`.
///
/// Each `fn` is a method, declared as a function is. It knows the names in the extents of the state.
#[macro_export]
macro_rules! class {
    (
        $(#[doc = $doc:literal])*
        $name:ident $(<$($($variable:ident),+: $($dtype:ident)|+),+ $(,)?>)? ($($arguments:tt)*)
        state $($s:ident: $t:ident $extents:tt),+; $($rest:tt)*
    ) => {
        $crate::__class! {
            @split {
                [$($doc)*] $name [$($({[$($variable)+] [$($dtype)+]})+)?] ($($arguments)*)
                [$({$s state [$t] $extents () own})+]
            } {[]} [] $($rest)*
        }
    };
    ($($rest:tt)*) => {
        compile_error!("a class is written as in `Sum(n: usize) state sum: f64[n]; fn add(x: &f64[n]) each sum[i] { sum + x[i] }`");
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __class {
    // ---- the constructor and the methods: each ends where the next begins
    (@split $class:tt {$($last:tt)*} [$($done:tt)*] $(#[doc = $doc:literal])* fn $($rest:tt)+) => {
        $crate::__class! { @split $class {[$($doc)*]} [$($done)* {$($last)*}] $($rest)+ }
    };
    (@split $class:tt {$($last:tt)*} $done:tt $next:tt $($rest:tt)*) => {
        $crate::__class! { @split $class {$($last)* $next} $done $($rest)* }
    };
    (@split {[$($doc:tt)*] $name:ident $variables:tt $arguments:tt $state:tt} $last:tt []) => {
        compile_error!("a class has a method at least: `fn add(x: &f64[n]) each sum[i] { sum + x[i] }`");
    };
    (@split $class:tt $last:tt [$constructor:tt $($done:tt)*]) => {
        $crate::__class! { @declare $class $constructor [$($done)* $last] }
    };

    (@declare {$doc:tt $name:ident $variables:tt $arguments:tt $state:tt} {[] $($passes:tt)*}
        [$({$text:tt $method:ident $($declared:tt)+})+]) => {
        $(
            pub mod $method {
                #[allow(unused_imports)] // of what the file has, a method may need anything
                use super::*;
                $crate::__class! { @method $name $variables $state $text $method $($declared)+ }
            }
        )+
        $crate::__read! {
            @variables $variables [] {{$doc [] [] $state [$($method)+]} $name} $arguments ($($passes)*)
        }
    };
    // The class's variables come first, and are no part of what a method is declared as.
    (@method $class:ident [$({[$($inherited:ident)+] $dtypes:tt})*] $state:tt $text:tt
        $name:ident $(<$($($variable:ident),+: $($dtype:ident)|+),+ $(,)?>)? ($($arguments:tt)*) $($rest:tt)*) => {
        $crate::__read! {
            @variables [$({[$($inherited)+] $dtypes})* $($({[$($variable)+] [$($dtype)+]})+)?] []
            {{$text [$class $($($inherited)+)*] $state [] []} $name} ($($arguments)*) ($($rest)*)
        }
    };
}
