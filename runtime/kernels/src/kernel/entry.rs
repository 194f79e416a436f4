//! A pass as the GPU's kernel, and as what runs on the CPU.

#[doc(hidden)]
#[macro_export]
macro_rules! __entry {
    // ---- the kernels of the GPU, for all choices of dtypes
    (@gpu [$($choice:tt)+] {
        {{$doc:tt $class:tt $state:tt $made:tt $methods:tt} $derivative:tt}
        $name:ident $variables:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $passes:tt
    }) => {
        $(
            #[cfg(target_arch = "nvptx64")]
            #[allow(unsafe_code, unused, improper_ctypes_definitions)] // the macro's own
            const _: () = {
                use $crate::grid::{Part as __Part, complex64, complex128, small_float::*};
                $crate::__read! { @types $choice }
                $crate::__read! { @computed $results }
                $crate::__entry! { @kernels [$class $name] $choice $arguments $state $results $made $scratch $passes }
            };
        )+
    };
    (@kernels $name:tt $choice:tt [$($a:tt)*] [$($state:tt)*] [$($r:tt)*] [$($made:tt)*] [$($s:tt)*] $passes:tt) => {
        $crate::__entry! { @kernels $name $choice [$($a)* $($state)* $($r)* $($made)* $($s)*] $passes }
    };
    (@kernels $name:tt $choice:tt $all:tt [$($pass:tt)*]) => {
        $($crate::__form! { @loaded $pass [__entry kernel] $name $choice $all $pass })*
    };
    (@kernel [$($loaded:ident $end:tt)+] $name:tt $choice:tt $all:tt $pass:tt) => {
        $(
            const _: () = {
                const __LOADED: $crate::grid::Loaded = $crate::grid::Loaded::$loaded;
                $crate::__entry! { @parameters [$name $end] $choice $all $pass [] [] $all }
            };
        )+
    };
    // One after the other: an array is two parameters, whose names differ from the others' by the rule that made them.
    (@parameters $name:tt $choice:tt $all:tt $pass:tt [$($taken:tt)*] $joined:tt
        [{$x:ident scalar [$t:tt] $($rest:tt)*} $($more:tt)*]) => {
        $crate::__entry! { @parameters $name $choice $all $pass [$($taken)* $x: $t,] $joined [$($more)*] }
    };
    (@parameters $name:tt $choice:tt $all:tt $pass:tt [$($taken:tt)*] $joined:tt
        [{$x:ident counter [$t:tt] $($rest:tt)*} $($more:tt)*]) => {
        $crate::__entry! { @parameters $name $choice $all $pass [$($taken)* $x: $t,] $joined [$($more)*] }
    };
    (@parameters $name:tt $choice:tt $all:tt $pass:tt [$($taken:tt)*] [$($joined:tt)*]
        [{$x:ident $mode:ident [$t:tt] $extents:tt $($rest:tt)*} $($more:tt)*]) => {
        $crate::__entry! {
            @parameters $name $choice $all $pass
            [$($taken)*
                address: <$crate::__entry!(@type $mode $t $extents) as $crate::grid::Parameter>::Address,
                rest: <$crate::__entry!(@type $mode $t $extents) as $crate::grid::Parameter>::Rest,]
            [$($joined)*
                // SAFETY: the next two parameters, which the host has put.
                let $x: $crate::__entry!(@type $mode $t $extents) = unsafe { $crate::grid::Parameter::join(address, rest) };]
            [$($more)*]
        }
    };
    (@parameters [$name:tt "_walked"] $choice:tt [$({$x:ident $mode:ident [$t:tt] $extents:tt $default:tt $place:ident})*]
        {$suffix:tt elements $arrays:tt $body:tt} [$($taken:tt)*] [$($joined:tt)*] []) => {
        #[unsafe(export_name = concat!($crate::__entry!(@name $name $choice $suffix), "_walked"))]
        unsafe extern "ptx-kernel" fn kernel(walk: $crate::grid::walk::Walk<{ $crate::__entry!(@count [$($x)*]) }>, $($taken)*) {
            $($joined)*
            $($crate::__entry! { @open $x $mode })*
            $crate::__entry! {
                @packs [$($crate::__entry!(@size $mode $t $extents)),*] [$($crate::__entry!(@row_size $mode $t $extents)),*]
            }
            $crate::__entry! { @all_dimensions [$({$x $mode [$t] $extents})*] }
            $crate::__form! { @walk walk __LANES $arrays $body }
        }
    };
    (@parameters [$name:tt $end:tt] $choice:tt [$({$x:ident $mode:ident [$t:tt] $extents:tt $default:tt $place:ident})*]
        {$suffix:tt $($form:tt)+} [$($taken:tt)*] [$($joined:tt)*] []) => {
        #[unsafe(export_name = concat!($crate::__entry!(@name $name $choice $suffix), $end))]
        unsafe extern "ptx-kernel" fn kernel($($taken)*) {
            $crate::__entry! {
                @body (#[inline(always)]) [$({$x $mode [$t] $extents $default $place})*] {$($form)+}
            }
            $($joined)*
            $($crate::__entry! { @open $x $mode })*
            __body($crate::grid::Grid::of($crate::__form!(@threads $($form)+)), $($x),*);
        }
    };

    // ---- what both sides share
    (@name $name:tt $choice:tt {$step:ident $range:tt [$($suffix:expr),+]}) => {
        $crate::__entry!(@name $name $choice ["_", stringify!($step), $($suffix),+])
    };
    (@name [[$($class:ident $($inherited:ident)*)?] $name:ident] $choice:tt [$($suffix:expr),+]) => {
        concat!($(stringify!($class), "_",)? stringify!($name), $crate::__entry!(@dtypes $choice), $($suffix),+)
    };
    (@dtypes []) => { "" };
    (@dtypes [$choice:tt $variable:ident $dtype:ident]) => {
        concat!($crate::__entry!(@dtypes $choice), "_", stringify!($dtype))
    };
    (@type scalar $t:tt $extents:tt) => { $t };
    (@type counter $t:tt $extents:tt) => { $t };
    (@type read $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::In>
    };
    (@type maybe $t:ident $extents:tt) => {
        $crate::grid::Optional<'_, $t, { $crate::__entry!(@rank $extents) }>
    };
    (@type maybe_inout $t:ident $extents:tt) => {
        $crate::grid::Optional<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Mut>
    };
    (@type maybe_fresh $t:ident $extents:tt) => {
        $crate::grid::Optional<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Out>
    };
    (@type state $t:ident $extents:tt) => { $crate::__entry!(@type inout $t $extents) };
    (@type inout $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Mut>
    };
    (@type found $t:ident $extents:tt) => {
        $crate::grid::Found<'_, $t, { $crate::__entry!(@rank $extents) }>
    };
    (@type read_strided $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::In, $crate::grid::Strided>
    };
    (@type inout_strided $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Mut, $crate::grid::Strided>
    };
    (@type fresh_strided $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Out, $crate::grid::Strided>
    };
    (@type read_rows $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::In, $crate::grid::Rows>
    };
    (@type inout_rows $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Mut, $crate::grid::Rows>
    };
    (@type fresh_rows $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Out, $crate::grid::Rows>
    };
    (@type $mode:ident $t:ident $extents:tt) => {
        $crate::grid::View<'_, $t, { $crate::__entry!(@rank $extents) }, $crate::grid::Out>
    };
    // The types that a pass has instead of a parameter's.
    (@opened maybe $t:ident $extents:tt) => { Option<$crate::__entry!(@type read $t $extents)> };
    (@opened maybe_inout $t:ident $extents:tt) => { Option<$crate::__entry!(@type inout $t $extents)> };
    (@opened maybe_fresh $t:ident $extents:tt) => { Option<$crate::__entry!(@type fresh $t $extents)> };
    (@opened $mode:ident $t:tt $extents:tt) => { $crate::__entry!(@type $mode $t $extents) };
    (@open $x:ident maybe) => { let $x = $x.view(); };
    (@open $x:ident maybe_inout) => { let $x = $x.view(); };
    (@open $x:ident maybe_fresh) => { let $x = $x.view(); };
    (@open $x:ident $mode:ident) => {};
    (@rank [... $(, $($extent:expr),* $(,)?)?]) => { 1 $($(+ { let _ = stringify!($extent); 1 })*)? };
    (@rank [$($extent:expr),* $(,)?]) => { 0 $(+ { let _ = stringify!($extent); 1 })* };
    (@size out $t:ident []) => { 1 };
    (@size read $t:ident $extents:tt) => { size_of::<$t>() };
    (@size maybe $t:ident $extents:tt) => { size_of::<$t>() };
    (@size maybe_inout $t:ident $extents:tt) => { size_of::<$t>() };
    (@size maybe_fresh $t:ident $extents:tt) => { size_of::<$t>() };
    (@size inout $t:ident $extents:tt) => { size_of::<$t>() };
    (@size fresh $t:ident $extents:tt) => { size_of::<$t>() };
    (@size out $t:ident $extents:tt) => { size_of::<$t>() };
    (@size $mode:ident $t:tt $extents:tt) => { 1 };
    // How many elements of all arrays are loaded at once, and how rows are.
    (@packs [$($size:expr),*] [$($of_row:expr),*]) => {
        const __LANES: usize = $crate::grid::lanes(&[$($size),*]);
        #[allow(dead_code)]
        const __ROW: $crate::grid::Packs = $crate::grid::Packs::of(&[$($of_row),*]);
    };
    (@row_size $mode:ident $t:tt [...]) => { 1 }; // an element for each row
    (@row_size $mode:ident $t:tt $extents:tt) => { $crate::__entry!(@size $mode $t $extents) };

    // The names of dimensions: those that expressions give, then those that an array or a number gives, which
    // may be of the same name.
    (@all_dimensions [$({$x:ident $mode:ident $t:tt $extents:tt $($rest:tt)*})*]) => {
        let _all = ($($x,)*);
        $($crate::__entry! { @solved $x $mode $extents })*
        let ($($x,)*) = _all;
        $($crate::__entry! { @axes named $x $mode $extents })*
    };
    (@solved $x:ident read [$($extents:tt)*]) => { $crate::__entry! { @solve $x (0) [] $($extents)* } };
    (@solved $x:ident fresh [$($extents:tt)*]) => { $crate::__entry! { @solve $x (0) [] $($extents)* } };
    (@solved $x:ident state $extents:tt) => { $crate::__entry! { @solved $x inout $extents } };
    (@solved $x:ident inout [$($extents:tt)*]) => { $crate::__entry! { @solve $x (0) [] $($extents)* } };
    (@solved $x:ident $mode:ident $extents:tt) => {};
    (@solve $x:ident $axis:tt $extent:tt , $($more:tt)*) => {
        $crate::__entry! { @solve_one $x $axis $extent $extent [] }
        $crate::__entry! { @solve $x ($axis + 1) [] $($more)* }
    };
    (@solve $x:ident $axis:tt [$($extent:tt)*] $next:tt $($more:tt)*) => {
        $crate::__entry! { @solve $x $axis [$($extent)* $next] $($more)* }
    };
    (@solve $x:ident $axis:tt $extent:tt) => { $crate::__entry! { @solve_one $x $axis $extent $extent [] } };
    (@solve_one $x:ident $axis:tt [$n:ident] $left:tt $names:tt) => {};
    // The names in what is left of an extent; a quotient has no solution.
    (@solve_one $x:ident $axis:tt $extent:tt [/ $($left:tt)*] $names:tt) => {};
    (@solve_one $x:ident $axis:tt $extent:tt [($($inner:tt)*) $($left:tt)*] $names:tt) => {
        $crate::__entry! { @solve_one $x $axis $extent [$($inner)* $($left)*] $names }
    };
    (@solve_one $x:ident $axis:tt $extent:tt [$n:ident $($left:tt)*] [$($names:tt)*]) => {
        $crate::__entry! { @solve_one $x $axis $extent [$($left)*] [$($names)* $n] }
    };
    (@solve_one $x:ident $axis:tt $extent:tt [$other:tt $($left:tt)*] $names:tt) => {
        $crate::__entry! { @solve_one $x $axis $extent [$($left)*] $names }
    };
    (@solve_one $x:ident $axis:tt [$($extent:tt)+] [] [$n:ident]) => {
        let $n = $crate::grid::solve($x.shape()[$axis], |$n| $($extent)+);
    };
    (@solve_one $x:ident $axis:tt $extent:tt [] $names:tt) => {};

    // Rules for the axes of an array whose extents are names: `named`, that these are their sizes; `same`, that they are
    // one number in all arrays. The core has checked that all have the sizes that they are declared with: where a pass goes through a
    // dimension, the compiler knows then that what it reads is inside of all arrays that have it.
    (@axes $rule:ident $x:ident read $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident fresh $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident inout $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident read_strided $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident inout_strided $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident fresh_strided $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident read_rows $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident inout_rows $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes $rule:ident $x:ident fresh_rows $extents:tt) => { $crate::__entry! { @axis $rule $x 0, $extents } };
    (@axes named $x:ident state $extents:tt) => { $crate::__entry! { @axis named $x 0, $extents } };
    (@axes same $x:ident out $extents:tt) => { $crate::__entry! { @axis same $x 0, $extents } };
    (@axes $rule:ident $x:ident $mode:ident $extents:tt) => {};
    (@axis $rule:ident $x:ident $axis:expr, []) => {};
    (@axis $rule:ident $x:ident $axis:expr, [... $(, $($more:tt)*)?]) => {
        $crate::__entry! { @axis $rule $x $axis + 1, [$($($more)*)?] }
    };
    (@axis $rule:ident $x:ident $axis:expr, [$n:ident $(, $($more:tt)*)?]) => {
        $crate::__entry! { @$rule $x $axis, $n }
        $crate::__entry! { @axis $rule $x $axis + 1, [$($($more)*)?] }
    };
    (@axis $rule:ident $x:ident $axis:expr, [$extent:expr $(, $($more:tt)*)?]) => {
        $crate::__entry! { @axis $rule $x $axis + 1, [$($($more)*)?] }
    };
    (@named $x:ident $axis:expr, $n:ident) => { let $n = $x.shape()[$axis]; };
    (@same $x:ident $axis:expr, $n:ident) => {
        // SAFETY: the core's check.
        let $x = unsafe { $x.with_extent($axis, $n) };
    };

    (@body (#[$($attribute:tt)*]) [$({$x:ident $mode:ident [$t:tt] $extents:tt $default:tt $place:ident})*]
        {$($form:tt)+}) => {
        #[$($attribute)*]
        fn __body(grid: $crate::grid::Grid, $($x: $crate::__entry!(@opened $mode $t $extents)),*) {
            $crate::__entry! { @all_dimensions [$({$x $mode [$t] $extents})*] }
            $($crate::__entry! { @axes same $x $mode $extents })*
            $crate::__entry! {
                @packs [$($crate::__entry!(@size $mode $t $extents)),*] [$($crate::__entry!(@row_size $mode $t $extents)),*]
            }
            $crate::__form! { @run grid __LANES [$({$x $mode [$t] $extents})*] $($form)+ }
        }
    };

    // ---- the CPU's side
    (@variant $name:tt $choice:tt [$($a:tt)*] [$($state:tt)*] [$($r:tt)*] {$conditions:tt $host:tt} [$($made:tt)*] [$($s:tt)*]
        [$($pass:tt)*]) => {{
        static __PIPELINE: $crate::pipeline::Pipeline = $crate::pipeline::Pipeline {
            function: __NAME,
            arguments: $crate::__entry!(@count [$($a)*]) + $crate::__entry!(@count [$($r)*]),
            state: $crate::__entry!(@count [$($a)*])..$crate::__entry!(@count [$($a)* $($state)*]),
            makes: $crate::__entry!(@count [$($made)*]),
            slots: &$crate::pipeline::placed([
                $($crate::__entry!(@slot $a),)* $($crate::__entry!(@slot $state),)* $($crate::__entry!(@slot $r),)*
                $($crate::__entry!(@slot $made),)* $($crate::__entry!(@slot $s)),*
            ]),
            check: $crate::__entry!(@check [$($a)* $($state)*] [$($a)* $($state)* $($r)*] $conditions),
            host: $crate::__entry!(@host [$($a)* $($state)*] $host),
            shapes: $crate::__entry!(@shapes [$($a)* $($state)*] [$($r)*] [$($made)* $($s)*]),
            passes: &$crate::__entry!(@passes $name $choice [$($a)* $($state)* $($r)* $($made)* $($s)*] [$($pass)*]),
        };
        unsafe extern "C" fn cpu(call: *mut $crate::row::c::Call, values: *const $crate::row::Value) -> core::ffi::c_int {
            // SAFETY: the caller's.
            unsafe { $crate::pipeline::on_cpu(&__PIPELINE, call, values) }
        }
        unsafe extern "C" fn gpu(call: *mut $crate::row::c::Call, values: *const $crate::row::Value) -> core::ffi::c_int {
            // SAFETY: the caller's.
            unsafe { $crate::pipeline::on_gpu(&__PIPELINE, call, values) }
        }
        $crate::pipeline::Runs { pipeline: &__PIPELINE, variant: $crate::row::c::Variant { cpu: Some(cpu), gpu: if cfg!(image) { Some(gpu) } else { None }, lanes: __PIPELINE.lanes_of_walk() } }
    }};
    (@slot {$x:ident $mode:ident [$t:tt] [$($extent:tt)*] $default:tt $place:ident}) => {
        $crate::pipeline::Slot {
            name: stringify!($x),
            mode: $crate::pipeline::Mode::$mode,
            has_strides: $crate::pipeline::Mode::$mode.has_strides(),
            is_index: $crate::__entry!(@is_index $mode $t),
            size: size_of::<$t>(),
            rank: $crate::pipeline::rank(stringify!($($extent)*), $crate::__entry!(@rank [$($extent)*])),
            start: 0, // as yet
            bytes: size_of::<$crate::__entry!(@type $mode $t [$($extent)*])>(),
            alignment: align_of::<$crate::__entry!(@type $mode $t [$($extent)*])>(),
        }
    };

    (@is_index scalar usize) => { true };
    (@is_index $mode:ident $t:tt) => { false };

    // ---- what the functions of a pipeline make of its parameters
    (@bind $parameters:ident [$({$x:ident $mode:ident [$t:tt] $extents:tt $($rest:tt)*})*]) => {
        let mut _reader = $parameters.reader();
        $(
            // SAFETY: the next parameter, which the caller has put.
            let $x = unsafe { _reader.next::<$crate::__entry!(@type $mode $t $extents)>() };
            $crate::__entry! { @open $x $mode }
        )*
    };
    (@check $arguments:tt $all:tt [$({$condition:expr $(, $message:literal)?})*]) => {{
        unsafe fn check(parameters: &$crate::pipeline::Parameters<'_>) -> Option<$crate::pipeline::Unmet> {
            $crate::__entry! { @bind parameters $arguments }
            $crate::__entry! { @all_dimensions $arguments }
            $crate::__entry! { @veil $arguments }
            // The extents of results are expressions of these names.
            let _ = || { $crate::__entry! { @all_extents $all } };
            $(
                #[deny(unsafe_code)]
                let holds: bool = $condition;
                if !holds {
                    return Some($crate::pipeline::Unmet {
                        condition: stringify!($condition),
                        message: $crate::__entry!(@message $($message)?),
                    });
                }
            )*
            None
        }
        let check: $crate::pipeline::Check = check;
        $crate::__entry!(@if_any [$($condition)*] check)
    }};
    (@if_any [] $check:ident) => { { let _ = $check; None } };
    (@if_any $conditions:tt $check:ident) => { Some($check) };
    (@all_extents [$({$x:ident $mode:ident $t:tt $extents:tt $($rest:tt)*})*]) => {
        $($crate::__entry! { @extent $extents })*
    };
    (@extent [... $(, $($extent:expr),* $(,)?)?]) => { $($(let _ = $extent;)*)? };
    (@host $arguments:tt []) => { None };
    (@host $arguments:tt [{$call:ident $body:block}]) => {{
        unsafe fn host($call: &mut $crate::pipeline::Host<'_, '_>, parameters: &$crate::pipeline::Parameters<'_>) -> $crate::row::Done {
            $crate::__entry! { @bind parameters $arguments }
            $crate::__entry! { @all_dimensions $arguments }
            $crate::__entry! { @hide $arguments } // they may be where the GPU has them
            #[deny(unsafe_code)]
            let done = $body;
            done
        }
        Some(host)
    }};
    // Sizes are known on the side of the CPU, elements may not be there.
    (@veil [$({$x:ident $mode:ident $($rest:tt)*})*]) => { $($crate::__entry! { @veil_one $x $mode })* };
    (@veil_one $x:ident scalar) => {};
    (@veil_one $x:ident counter) => {};
    (@veil_one $x:ident found) => {};
    (@veil_one $x:ident maybe) => { let $x = $x.map($crate::grid::View::veiled); };
    (@veil_one $x:ident maybe_inout) => { let $x = $x.map($crate::grid::View::veiled); };
    (@veil_one $x:ident maybe_fresh) => { let $x = $x.map($crate::grid::View::veiled); };
    (@veil_one $x:ident $mode:ident) => { let $x = $x.veiled(); };
    (@hide [$({$x:ident $mode:ident $($rest:tt)*})*]) => { $($crate::__entry! { @hide_one $x $mode })* };
    (@hide_one $x:ident scalar) => {};
    (@hide_one $x:ident maybe) => { let $x = $x.map(|_| ()); };
    (@hide_one $x:ident maybe_inout) => { let $x = $x.map(|_| ()); };
    (@hide_one $x:ident maybe_fresh) => { let $x = $x.map(|_| ()); };
    (@hide_one $x:ident $mode:ident) => { let $x = (); };
    (@extent [$($extent:expr),* $(,)?]) => { $(let _ = $extent;)* };
    (@message) => { None };
    (@message $message:literal) => { Some($message) };
    (@shapes $arguments:tt $results:tt [$({$s:ident $mode:ident $t:tt [$($extent:expr),*] $($rest:tt)*})*]) => {{
        unsafe fn shapes(parameters: &mut $crate::pipeline::Parameters<'_>) {
            $crate::__entry! { @bind parameters $arguments }
            $crate::__entry! { @all_dimensions $arguments }
            $crate::__entry! { @veil $arguments }
            let _slot = $crate::__entry!(@count $arguments) + $crate::__entry!(@count $results);
            $(
                #[deny(unsafe_code)]
                let shape: &[usize] = &[$($extent),*];
                parameters.set_shape(_slot, shape);
                let _slot = _slot + 1;
            )*
        }
        shapes
    }};
    (@count [$($item:tt)*]) => { 0 $(+ { let _ = stringify!($item); 1 })* };
    // ---- how often a pass is repeated
    (@repeat [$($suffix:tt)+] $all:tt) => { None };
    (@repeat {$step:ident ($range:expr) $suffix:tt} [$({$x:ident $mode:ident $t:tt $extents:tt})*]) => {
        Some($crate::pipeline::Repeat {
            slot: $crate::pipeline::place(&[$(stringify!($x)),*], stringify!($step)),
            range: {
                unsafe fn range(parameters: &$crate::pipeline::Parameters<'_>) -> core::ops::Range<usize> {
                    $crate::__entry! { @bind parameters [$({$x $mode $t $extents})*] }
                    $crate::__entry! { @all_dimensions [$({$x $mode $t $extents})*] }
                    $crate::__entry! { @veil [$({$x $mode})*] }
                    #[deny(unsafe_code)]
                    let range = $range;
                    range
                }
                range
            },
        })
    };
    (@passes $name:tt $choice:tt $all:tt [$($pass:tt)*]) => {
        [$($crate::__entry!(@pass $name $choice $all $pass)),*]
    };
    (@named [$($loaded:ident $end:tt)+] $name:tt $choice:tt $suffix:tt) => {{
        static __KERNELS: [$crate::pipeline::Kernel; $crate::__entry!(@count [$($end)+])] = [$(
            $crate::pipeline::Kernel::named(
                concat!("cuvec kernel ", $crate::__entry!(@name $name $choice $suffix), $end, "\0"))
        ),+];
        &__KERNELS
    }};
    (@pass $name:tt $choice:tt [$({$x:ident $mode:ident [$t:tt] $extents:tt $default:tt $place:ident})*]
        {$suffix:tt $($form:tt)+}) => {
        $crate::pipeline::Pass {
            kernels: $crate::__form!(@loaded {$suffix $($form)+} [__entry named] $name $choice $suffix),
            unit: $crate::__form!(@unit $($form)+),
            writes: $crate::pipeline::mask(&[$(stringify!($x)),*], $crate::__form!(@writes {$suffix $($form)+})),
            threads: $crate::__form!(@threads $($form)+),
            memory: $crate::__form!(@memory $($form)+),
            per_block: $crate::__form!(@unit $($form)+)
                .per_block($crate::grid::lanes(&[$($crate::__entry!(@size $mode $t $extents)),*])),
            repeat: $crate::__entry!(@repeat $suffix [$({$x $mode [$t] $extents})*]),
            work: {
                unsafe fn work(parameters: &$crate::pipeline::Parameters<'_>) -> $crate::pipeline::Work {
                    $crate::__entry! { @bind parameters [$({$x $mode [$t] $extents})*] }
                    $crate::__entry! { @all_dimensions [$({$x $mode [$t] $extents})*] }
                    $crate::__entry! { @veil [$({$x $mode})*] }
                    $crate::__entry! {
                        @packs [$($crate::__entry!(@size $mode $t $extents)),*] [$($crate::__entry!(@row_size $mode $t $extents)),*]
                    }
                    $crate::__form!(@work_of_all [$({$x $mode [$t] $extents})*] $($form)+)
                }
                work
            },
            run: {
                unsafe fn run(parameters: &$crate::pipeline::Parameters<'_>, blocks: core::ops::Range<usize>, of: usize) {
                    $crate::__entry! { @bind parameters [$({$x $mode [$t] $extents})*] }
                    $crate::__entry! {
                        @body (#[inline(always)]) [$({$x $mode [$t] $extents $default $place})*] {$($form)+}
                    }
                    // Again, with the wider vectors that nearly all x86-64 have today.
                    #[cfg(target_arch = "x86_64")]
                    #[target_feature(enable = "avx2,fma")]
                    fn wide(blocks: core::ops::Range<usize>, of: usize, $($x: $crate::__entry!(@opened $mode $t $extents)),*) {
                        $crate::__entry! {
                            @body (#[target_feature(enable = "avx2,fma")])
                            [$({$x $mode [$t] $extents $default $place})*] {$($form)+}
                        }
                        for block in blocks {
                            __body($crate::grid::Grid::new(block, of), $($x),*);
                        }
                    }
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                        // SAFETY: the CPU has them.
                        return unsafe { wide(blocks, of, $($x),*) };
                    }
                    for block in blocks {
                        __body($crate::grid::Grid::new(block, of), $($x),*);
                    }
                }
                run
            },
        }
    };
}
