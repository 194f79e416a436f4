//! Takes a declaration apart: the macro `kernel` reads its head, `__read` what is behind it.

/// Declares a function.
///
/// ```ignore
/// kernel! {
///     /// The product of the matrix `a` and the vector `x`.
///     gemv<T: f32 | f64>(a: &T[m, n], x: &T[n]) -> y: T[m]
///     each y[i] by warp { warp.sum(a.row(i), x, |a, x| a * x) }
/// }
/// ```
///
/// `<…>` has the variables and their dtypes; `<I, J: i32 | i64>` are two. An argument is a number, `a: T`, with a default or none, which may
/// be calculated of numbers, `pi`, `e`, `inf` and `nan`, as `pi / 2.0`, `sqrt(2.0)` or `pow(2.0, -3)`; an
/// array that is read, `&T[…]`, read and written, `&mut T[…]`, or written alone, `&out T[…]`. It may have
/// strides if `strided` is behind it, or `rows` for any but the last one. A contiguous one
/// may be `Option<&T[…]>`: `None` in Python, and in what is computed; `each y[i]` of one that is `None` does nothing. An option, `mode: {relu, silu} = relu`, is one of these
/// texts in Python, and an enumerator in what is computed: `mode::relu`. `dtype: D = f16` says what the
/// variable `D` is, and `dtype: dtype(D)` does without a default: in Python a dtype, in what is computed nothing. A tuple is `[i64; 2] = [1, 1]`. Behind a
/// `*` they are given by name only. The extents of an array are names and expressions of them; `[...]`
/// is any one shape. Results are behind `->`: one, or several in parentheses; without extents it is a
/// number. A result whose name begins with `_` has none in Python, and `rstd: saved f32[...]` is for the
/// derivative alone. `index: i64[at most n]` has as many
/// elements as `index.push(i)` adds to it in `block over x { … }`, in no particular order.
///
/// Then may come `derivative dx, dw = f_bwd(dy, x, w);`: the function of the package that calculates the
/// gradients of arguments, from gradients of results (`dout` of one without a name), arguments and results;
/// `where sigma > 0.0 => "sigma must be positive";`, `scratch rows: T[h, w];` and
/// `shared local: u32[64];`; then `host(call) { … }`, what the thread of the call does first, with the
/// numbers alone, and whose answer is a `Result`; and what is computed:
///
/// - `{ *y += a * x }`: for each element of arrays of one shape;
/// - `each y[i, j] { … }`: each element of `y`, by a thread or, `by warp`, by 32 of them; there
///   `y` is what the element was before. Several of these follow each other;
/// - `each y[i, j] with x.edge(1) { … }`: where it needs what is near in arrays of its shape:
///   `x.near(-1, 0)` is the element of the row before. `edge` or `wrap` says what is beyond the edges;
/// - `each (y[row, ..], mean[row]) by block { … }`: a row of `y` and an element of `mean` by a block, or `by warp`. The body ends
///   with `(move |j| …, mean)`: a function of the last index, and a value. There `y` is the row before, and
///   `y.write(move |j, (y, _)| …)` a function that has the previous elements at that place, too;
/// - `block over x { … }`: blocks of threads that share the elements of `x`, and add to results;
/// - `each y[i, j] by block of [16, 16] { … }`: a block of so many threads for each tile of `y`, which have values of
///   their own, fill shared memory together, and reduce what a function makes of numbers; of several arrays,
///   `each (y[i, j], at[i, j]) by block of [16, 16] { … }`;
/// - `each c[i, j] by tile of [128, 128] { … }`: warps that multiply matrices on tensor cores, with a sum for each element
///   of the tile;
/// - `for step in 0..n { … }`: the passes in it, so many times;
/// - `fold (x, y) { start: …, add: |sum, x, y| …, merge: …, value: … }`: one number of all elements, or a tuple of several;
///   `fold (x) at i { … }` has the index;
/// - `scan y[i] over x { start: …, value: …, merge: … }`: what the elements up to each one come to.
pub use cuvec_kernels_macro::kernel;

#[doc(hidden)]
#[macro_export]
macro_rules! __read {
    // ---- how gradients are calculated: it goes with the documentation
    (@derivative $h:tt [$($done:tt)*] $arguments:tt $results:tt
        (derivative $($gradient:ident),+ = $function:ident $given:tt; $($rest:tt)*)) => {
        $crate::__read! {
            @derivative $h [$($done)* {[$($gradient)+] $function $given}] $arguments $results ($($rest)*)
        }
    };
    (@derivative $h:tt $derivative:tt $arguments:tt $results:tt (derivative $($rest:tt)*)) => {
        compile_error!("a derivative is written as in `derivative dx, dw = f_bwd(dy, x, w);`");
    };
    (@derivative $h:tt $derivative:tt $arguments:tt $results:tt (architectures $($rest:tt)*)) => {
        compile_error!("kernels in Rust are PTX for all GPUs; a function for some alone is written in CUDA C++, NAME.cu");
    };
    (@derivative {$doc:tt $($h:tt)*} $derivative:tt $arguments:tt $results:tt ($($rest:tt)*)) => {
        $crate::__read! { @conditions {{$doc $derivative} $($h)*} $arguments $results ($($rest)*) }
    };

    // ---- conditions, scratch memory, shared memory
    (@conditions $h:tt $arguments:tt $results:tt
        (where $($condition:expr $(=> $message:literal)?),+; $($rest:tt)*)) => {
        $crate::__read! { @scratch $h $arguments $results [$({$condition $(, $message)?})+] [] ($($rest)*) }
    };
    (@conditions $h:tt $arguments:tt $results:tt (where $($rest:tt)*)) => {
        compile_error!("conditions are written as in `where n > 1, sigma > 0.0 => \"sigma must be positive\";`");
    };
    (@conditions $h:tt $arguments:tt $results:tt ($($rest:tt)*)) => {
        $crate::__read! { @scratch $h $arguments $results [] [] ($($rest)*) }
    };
    (@scratch $h:tt $arguments:tt $results:tt $conditions:tt [$($done:tt)*]
        (scratch $($s:ident: $t:ident $extents:tt),+; $($rest:tt)*)) => {
        $crate::__read! {
            @scratch $h $arguments $results $conditions
            [$($done)* $({$s scratch [$t] $extents () own})+] ($($rest)*)
        }
    };
    (@scratch $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt (scratch $($rest:tt)*)) => {
        compile_error!("scratch memory is written as in `scratch rows: f64[h, w], counts: u32[w];`");
    };
    (@scratch $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt ($($rest:tt)*)) => {
        $crate::__read! { @shared $h $arguments $results $conditions $scratch ($($rest)*) }
    };
    (@shared $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt
        (shared $($s:ident: $t:ident [$len:expr]),+; $($rest:tt)*)) => {
        $crate::__read! { @host $h $arguments $results $conditions $scratch [$({$s $t $len})+] ($($rest)*) }
    };
    (@shared $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt (shared $($rest:tt)*)) => {
        compile_error!("shared memory is written as in `shared counts: u32[bins];`");
    };
    (@shared $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt ($($rest:tt)*)) => {
        $crate::__read! { @host $h $arguments $results $conditions $scratch [] ($($rest)*) }
    };
    (@host {$doc:tt $name:ident $variables:tt} $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt
        (host($call:ident) $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @passes {$doc $name $variables [{$call $body}]} $arguments $results $conditions $scratch $shared [] [] ($($rest)*)
        }
    };
    (@host {$doc:tt $name:ident $variables:tt} $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt
        ($($rest:tt)*)) => {
        $crate::__read! {
            @passes {$doc $name $variables []} $arguments $results $conditions $scratch $shared [] [] ($($rest)*)
        }
    };

    // ---- what is computed
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt [] [] [] [] ({ each $($pass:tt)* })) => {
        compile_error!("passes are not in braces: `… each y[i] { … }`");
    };
    (@passes $h:tt [$($arguments:tt)*] [$($results:tt)*] $conditions:tt [] [] [] [] ({ $($body:tt)* })) => {
        $crate::__read! {
            @variants $h [$($arguments)*] [$($results)*] $conditions []
            [{[""] elements [$($arguments)* $($results)*] { $($body)* }}]
        }
    };
    (@passes $h:tt $arguments:tt [$({$result:ident $($number:tt)*})+] $conditions:tt [] [] [] [] (
        fold ($first:ident $(, $array:ident)*) $(at $index:ident)? {
            start: $start:expr,
            add: |$sum:ident $(, $value:ident)+| $add:expr,
            merge: $merge:expr,
            value: $finish:expr $(,)?
        }
    )) => {
        $crate::__read! {
            @variants $h $arguments [$({$result $($number)*})+] $conditions
            [{parts scratch [__Part] [$crate::grid::parts($first.len())] () own}] [
                {["_parts"] fold parts [$($result)+] ($first $($array)*) ($($value)+) $sum [$($index)?] ($start) ($add) ($merge) ($finish)}
                {["_total"] total parts [$($result)+] ($start) ($merge) ($finish)}
            ]
        }
    };
    // Rows that are written whole, of several arrays.
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (each ($($targets:tt)+) by $team:ident $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @targets [] ($($targets)+) $team $body $h $arguments $results $conditions $scratch $shared $done $written ($($rest)*)
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (each $y:ident [$($i:ident,)* ..] by $team:ident $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @targets [{$y whole [$($i),*]}] () $team $body $h $arguments $results $conditions $scratch $shared $done $written
            ($($rest)*)
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (each $y:ident [$($i:ident,)* ..] $($rest:tt)*)) => {
        compile_error!("a row is written by a warp or a block: `each y[row, ..] by block { … }`");
    };
    // Elements that a block's threads have of several arrays.
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (each ($($y:ident $index:tt),+ $(,)?) by $team:ident of [$($side:literal),+ $(,)?] $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @own [$({$y $index})+] $team $team [$($side)+] $body $h $arguments $results $conditions $scratch $shared $done $written ($($rest)*)
        }
    };
    (@own $several:tt tile $($all:tt)*) => {
        compile_error!("`by tile of` writes one array: `each c[i, j] by tile of [128, 128] { … }`");
    };
    (@own [{$first:ident $($of:tt)*} $({$y:ident $($more:tt)*})*] $team:ident $block:ident $sides:tt $body:block
        $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt [$($done:tt)*] [$($written:ident)*] $rest:tt) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* {
                ["_", stringify!($first)]
                own [{$first $($of)*} $({$y $($more)*})*] $block $sides $shared $body [$($written)*]
            }]
            [$($written)* $first $($y)*] $rest
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (each ($($targets:tt)*) $($rest:tt)*)) => {
        compile_error!("several arrays are written by warps or blocks: `each (y[row, ..], mean[row]) by block { … }`");
    };
    (@targets [$($done:tt)*] ($y:ident [$($i:ident,)* ..] $(, $($more:tt)*)?) $($rest:tt)*) => {
        $crate::__read! { @targets [$($done)* {$y whole [$($i),*]}] ($($($more)*)?) $($rest)* }
    };
    (@targets [$($done:tt)*] ($y:ident [$($i:ident),*] $(, $($more:tt)*)?) $($rest:tt)*) => {
        $crate::__read! { @targets [$($done)* {$y single [$($i),*]}] ($($($more)*)?) $($rest)* }
    };
    (@targets [{$first:ident $($of:tt)*} $({$y:ident $($more:tt)*})*] () $team:ident $body:block
        $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt [$($done:tt)*] [$($written:ident)*] $rest:tt) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* {
                ["_", stringify!($first)]
                rows [{$first $($of)*} $({$y $($more)*})*] $team $body [$($written)*]
            }]
            [$($written)* $first $($y)*] $rest
        }
    };
    (@targets $($all:tt)*) => {
        compile_error!("several arrays are written as in `each (y[row, ..], mean[row]) by block { … }`");
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt [$($done:tt)*] [$($written:ident)*]
        (each $y:ident $index:tt by $team:ident $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* {["_", stringify!($y)] each $y $index [$team] $body [$($written)*]}] [$($written)* $y] ($($rest)*)
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt [$($done:tt)*] [$($written:ident)*]
        (each $y:ident $index:tt with $($x:ident.$beyond:ident($halo:expr)),+ $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* {["_", stringify!($y)] each $y $index [with $({$x $beyond $halo})+] $body [$($written)*]}] [$($written)* $y] ($($rest)*)
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt [$($done:tt)*] [$($written:ident)*]
        (each $y:ident $index:tt $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* {["_", stringify!($y)] each $y $index [] $body [$($written)*]}] [$($written)* $y] ($($rest)*)
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (each $y:ident $index:tt by $team:ident of [$($side:literal),+ $(,)?] $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @of $team $team [$($side),+] $y $index $body $h $arguments $results $conditions $scratch $shared $done $written ($($rest)*)
        }
    };
    (@of tile $tile:ident [$rows:literal, $columns:literal] $y:ident $index:tt $body:block
        $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt [$($done:tt)*] [$($written:ident)*] $rest:tt) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* {["_", stringify!($y)] tile $y $index $tile [$rows, $columns] $body [$($written)*]}]
            [$($written)* $y] $rest
        }
    };
    (@of tile $($all:tt)*) => {
        compile_error!("a tile has rows and columns, as in `each c[i, j] by tile of [128, 128] { … }`");
    };
    (@of $team:ident $block:ident [$($side:literal),+] $y:ident $index:tt $($all:tt)*) => {
        $crate::__read! { @own [{$y $index}] $team $block [$($side)+] $($all)* }
    };
    // Such a pass may add to all of them, which start as zeros.
    (@passes $h:tt $arguments:tt [$({$r:ident $($of:tt)*})*] $conditions:tt [$({$s:ident $($size:tt)*})*] $shared:tt
        [$($done:tt)*] $written:tt
        ($block:ident over $x:ident $(by ($blocks:expr, $threads:literal))? $body:block $($rest:tt)*)) => {
        $crate::__read! {
            @passes $h $arguments [$({$r $($of)*})*] $conditions [$({$s $($size)*})*] $shared
            [$($done)* {["_over_", stringify!($x)] over $block $x [$($threads, $blocks)?] $shared $body}]
            [$($r)* $($s)*] ($($rest)*)
        }
    };
    // ---- passes that are repeated: their number is a parameter of them, and their name has its name in it. There may be
    // no steps, so they have written nothing for those behind them.
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt
        (for $step:ident in $($rest:tt)+)) => {
        $crate::__read! {
            @range [] ($($rest)+) $step $h $arguments $results $conditions $scratch $shared $done $written
        }
    };
    (@range [$($range:tt)+] ({ $($inner:tt)+ } $($rest:tt)*) $step:ident $h:tt $arguments:tt $results:tt $conditions:tt
        [$($scratch:tt)*] $shared:tt $done:tt $written:tt) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions [$($scratch)* {$step counter [usize] [] () own}] $shared
            [] $written ($($inner)+ @end $step ($($range)+) $done $written $($rest)*)
        }
    };
    (@range [$($range:tt)*] ($next:tt $($rest:tt)+) $($all:tt)*) => {
        $crate::__read! { @range [$($range)* $next] ($($rest)+) $($all)* }
    };
    (@range $($all:tt)*) => {
        compile_error!("passes are repeated as in `for step in 0..steps { each y[i] { … } }`");
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt
        [$({[$($suffix:tt)+] $($form:tt)+})+] $in_loop:tt (@end $step:ident $range:tt [$($done:tt)*] $written:tt $($rest:tt)*)) => {
        $crate::__read! {
            @passes $h $arguments $results $conditions $scratch $shared
            [$($done)* $({{$step $range [$($suffix)+]} $($form)+})+] $written ($($rest)*)
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $done:tt $written:tt (@end $($rest:tt)*)) => {
        compile_error!("passes that are repeated cannot be repeated in turn: calculate both numbers from one");
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt [] [] [] [] (
        scan $y:ident [$i:ident] over $x:ident { start: $start:expr, value: $value:expr, merge: $merge:expr $(,)? }
    )) => {
        $crate::__read! {
            @variants $h $arguments $results $conditions
            [{parts scratch [__Part] [$crate::grid::parts($x.len())] () own}] [
                {["_parts"] scan_parts parts $y $i ($start) ($value) ($merge)}
                {["_scan"] scan parts $y $i ($start) ($value) ($merge)}
            ]
        }
    };
    (@passes $h:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $shared:tt $passes:tt $written:tt ()) => {
        $crate::__read! { @variants $h $arguments $results $conditions $scratch $passes }
    };

    // ---- all choices of dtypes: each is `[[[] T f32] U i64]`
    (@variants {$doc:tt $name:ident $variables:tt $host:tt} $arguments:tt $results:tt $conditions:tt $($rest:tt)*) => {
        $crate::__read! {
            @choose [[]] $variables {$doc $name $variables $arguments $results {$conditions $host} $($rest)*}
        }
    };
    (@choose $choices:tt [] $declared:tt) => {
        $crate::__row! { $choices $declared }
        $crate::__entry! { @gpu $choices $declared }
    };
    (@choose [$($choice:tt)*] [$variable:tt $($variables:tt)*] $declared:tt) => {
        $crate::__read! { @cross [$($choice)*] [] $variable [$($variables)*] $declared }
    };
    (@cross [$choice:tt $($more:tt)*] [$($done:tt)*] {$variable:ident [$($dtype:ident)+]} $variables:tt $declared:tt) => {
        $crate::__read! {
            @cross [$($more)*] [$($done)* $([$choice $variable $dtype])+] {$variable [$($dtype)+]} $variables $declared
        }
    };
    (@cross [] $choices:tt $variable:tt $variables:tt $declared:tt) => {
        $crate::__read! { @choose $choices $variables $declared }
    };

    // ---- the types of a choice
    (@types []) => {};
    (@types [$choice:tt $variable:ident $dtype:ident]) => {
        $crate::__read! { @types $choice }
        type $variable = $dtype;
    };
    // The types of results that are computed, such as `real(T)`.
    (@computed [$({$y:ident $mode:ident $t:tt $extents:tt ($($computed:tt)*) $place:ident})*]) => {
        $($crate::__read! { @alias $y $($computed)* })*
    };
    (@alias $y:ident) => {};
    (@alias $y:ident real $t:ident) => {
        #[allow(non_camel_case_types)]
        type $y = <$t as $crate::grid::Real>::Part;
    };
}
