//! The row of a function, which hosts read.

#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    ([$($choice:tt)+] {
        {
            {
                [[$($doc:literal)*] [$signature:literal] [$($struct:ident)*]]
                $class:tt $state:tt $made:tt [$($method:ident)*]
            }
            [$($derivative:tt)*]
        }
        $name:ident $variables:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $passes:tt
    }) => {
        /// The name of the function.
        #[cfg(not(target_arch = "nvptx64"))]
        pub const __NAME: &str = $crate::__row!(@full_name $class $name);

        /// Functions that the file declares.
        #[cfg(not(target_arch = "nvptx64"))]
        pub static __DECLARED: &[&$crate::library::Declared] = &[&FUNCTION];

        $(#[doc = $doc])*
        #[cfg(not(target_arch = "nvptx64"))]
        #[allow(unsafe_code, unused, clippy::all, clippy::pedantic)] // the macro's own
        pub static FUNCTION: $crate::library::Declared = {
            use $crate::grid::{Part as __Part, complex64, complex128, small_float::*};
            $crate::__row! { @check $arguments $results $scratch $passes $state $made }
            $crate::library::Declared {
                name: __NAME,
                signature: $signature,
                doc: &[$($doc),*],
                derivative: $crate::__row!(@derivative $($derivative)*),
                architectures: $crate::__row!(@architectures [$class $name] $passes),
                is_each: $crate::__row!(@is_each $passes),
                structs: &[$(<$struct as $crate::row::Typed>::DTYPE),*],
                runs: &[$({
                    $crate::__read! { @types $choice }
                    $crate::__read! { @computed $results }
                    $crate::__entry!(@variant [$class $name] $choice $arguments $state $results $conditions $made $scratch $passes)
                }),+],
                methods: &[$(&$method::FUNCTION),*],
            }
        };
    };

    (@full_name [] $name:ident) => { stringify!($name) };
    (@full_name [$class:ident $($inherited:ident)*] $name:ident) => { concat!(stringify!($class), ".", stringify!($name)) };
    (@file [] $name:ident) => { stringify!($name) };
    (@file [$class:ident $($inherited:ident)*] $name:ident) => { stringify!($class) };
    (@derivative) => { "" };
    (@derivative $step:tt $($more:tt)*) => {
        concat!($crate::__row!(@step $step), $("; ", $crate::__row!(@step $more)),*)
    };
    (@step {$gradients:tt $function:ident $arguments:tt}) => {
        concat!($crate::__row!(@gradients $gradients), " = ", stringify!($function), stringify!($arguments))
    };
    (@gradients [$first:ident $($more:ident)*]) => { concat!(stringify!($first), $(", ", stringify!($more)),*) };

    // PTX of the oldest GPU, for all; of the oldest with these tensor cores, which `doctor` finds by this text.
    (@architectures [$class:tt $name:ident] [{$suffix:tt tile $($form:tt)*} $($more:tt)*]) => {
        Some($crate::row::for_tensor_cores(concat!("cuvec architectures of ", $crate::__row!(@file $class $name), ": 80+\0")))
    };
    (@architectures $name:tt [$pass:tt $($more:tt)*]) => { $crate::__row!(@architectures $name [$($more)*]) };
    (@architectures $name:tt []) => { None };

    (@is_each [{$suffix:tt elements $($form:tt)*}]) => { true };
    (@is_each $passes:tt) => { false };

    // ---- what all passes together must do
    (@check $arguments:tt [$({$y:ident $($result:tt)*})*] [$({$s:ident $scratch:ident $($of:tt)*})*] [$($pass:tt)*] [$($state:tt)*] [$($made:tt)*]) => {
        const WRITES: &[&[&str]] = &[$($crate::__form!(@writes $pass)),*];
        const ONCE: &[&[&str]] = &[$($crate::__row!(@once $pass)),*];
        $(const _: () = assert!(
            $crate::row::is_written(stringify!($y), ONCE),
            concat!("no pass writes the result `", stringify!($y), "`, unless in a loop, which may have no steps")
        );)*
        $(const _: () = assert!(
            $crate::pipeline::Mode::$scratch.is_counter() || $crate::row::is_written(stringify!($s), WRITES),
            concat!("no pass writes the scratch memory `", stringify!($s), "`")
        );)*
        $($crate::__row! { @one_shape $pass })*
        const ARRAYS: &[(&str, &str)] = $crate::__row!(@extents $arguments [$({$y $($result)*})*] [$({$s $scratch $($of)*})* $($state)* $($made)*]);
        $($crate::__row! { @near $pass })*
    };
    (@once {{$step:ident $($repeat:tt)+} $($form:tt)+}) => { &[] };
    (@once $pass:tt) => { $crate::__form!(@writes $pass) };
    (@extents [$({$x:ident $m:ident $t:tt [$($extent:tt)*] $($a:tt)*})*] [$({$y:ident $n:ident $u:tt [$($length:tt)*] $($b:tt)*})*]
        [$({$s:ident $o:ident $v:tt [$($size:tt)*] $($c:tt)*})*]) => {
        &[
            $((stringify!($x), stringify!($($extent)*)),)* $((stringify!($y), stringify!($($length)*)),)*
            $((stringify!($s), stringify!($($size)*))),*
        ]
    };
    (@near {$suffix:tt each $y:ident $index:tt [with $({$x:ident $beyond:ident $halo:expr})+] $body:block $written:tt}) => {
        $(const _: () = assert!(
            $crate::row::are_one_shape(stringify!($y), stringify!($x), ARRAYS),
            concat!("`", stringify!($x), "` does not have the sizes of `", stringify!($y), "`, or is the same")
        );)+
    };
    (@near $pass:tt) => {};
    (@one_shape {$suffix:tt elements [$({$x:ident $mode:ident $t:tt [$($extent:tt)*] $($a:tt)*})*] $body:tt}) => {
        const _: () = assert!(
            $crate::row::one_shape(&[$((stringify!($mode), stringify!($($extent)*))),*]),
            "a body of one expression is for arrays of one shape; for others write `each y[i] {{ … }}`"
        );
        const _: () = assert!(
            !(false $(|| $crate::pipeline::Mode::$mode.has_strides())*),
            "a body of one expression takes any strides: declare neither `strided` nor `rows`"
        );
    };
    (@one_shape $pass:tt) => {};
}
