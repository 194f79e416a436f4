//! The spec of a function: the row of the table that hosts read.

#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    ([$($choice:tt)+] {
        {{[$($doc:literal)*] $class:tt $state:tt $made:tt $methods:tt} [$($derivative:tt)*]}
        $name:ident $variables:tt $arguments:tt $results:tt $conditions:tt $scratch:tt $passes:tt
    }) => {
        /// The name of the function.
        #[cfg(not(target_arch = "nvptx64"))]
        pub const __NAME: &str = $crate::__row!(@full_name $class $name);

        /// How the function runs, for each choice of dtypes.
        #[cfg(not(target_arch = "nvptx64"))]
        #[allow(unsafe_code, unused, clippy::all, clippy::pedantic)] // the macro's own
        pub static __PLANS: [$crate::plan::Runs; $crate::__entry!(@count [$($choice)+])] = {
            use $crate::grid::{Part as __Part, bf16, complex64, complex128, f8e4m3, f8e5m2, f16};
            [$({
                $crate::__read! { @types $choice }
                $crate::__read! { @computed $results }
                $crate::__entry!(@variant [$class $name] $choice $arguments $state $results $conditions $made $scratch $passes)
            }),+]
        };

        /// How its methods run, if it is the constructor of a class.
        #[cfg(not(target_arch = "nvptx64"))]
        pub static __METHODS: &[&[$crate::plan::Runs]] = $crate::__row!(@plans $methods);

        /// Functions that the file declares.
        #[cfg(not(target_arch = "nvptx64"))]
        pub static __DECLARED: &[&$crate::library::Declared] =
            &[&$crate::library::Declared { spec: &FUNCTION, plans: &__PLANS, methods: __METHODS }];

        $(#[doc = $doc])*
        #[cfg(not(target_arch = "nvptx64"))]
        #[allow(unsafe_code, unused, clippy::all, clippy::pedantic)] // as above
        pub static FUNCTION: $crate::row::Spec = {
            use $crate::grid::{Part as __Part, bf16, complex64, complex128, f8e4m3, f8e5m2, f16};
            use $crate::row::literal::{e, inf, nan, pi, pow, sqrt};
            // The docstring, without the blanks of the comments.
            const WRITTEN: &str = concat!($($doc, "\n",)* "");
            const DOC: [u8; $crate::row::doc_len(WRITTEN)] = $crate::row::doc(WRITTEN);
            const DECLARED: &str = $crate::__row!(@signature $class $name $variables $arguments $results);
            const SIGNATURE: [u8; $crate::row::signature_len(DECLARED)] = $crate::row::signature(DECLARED);
            $crate::__row! { @variables 0, $variables }
            $crate::__read! { @computed $results }
            const SHAPES: &[&str] = $crate::__row!(@shapes $arguments $results);
            const NUMBERS: &[&str] = $crate::__row!(@numbers $arguments);
            const EXTENTS: $crate::row::Extents = $crate::row::Extents::read(SHAPES, NUMBERS);
            static TERMS: [$crate::row::Term; EXTENTS.term_count] = EXTENTS.terms();
            static ALL: [$crate::row::Extent; EXTENTS.count] = EXTENTS.all(&TERMS);
            const VARIABLES: &[$crate::row::DTypes] = &$crate::__row!(@dtypes $variables);
            static NAMES: $crate::row::Names = $crate::row::names(VARIABLES);
            static DIMENSIONS: [$crate::row::Dimension; EXTENTS.dimension_count] = EXTENTS.dimensions();
            $crate::__row! { @check $arguments $results $scratch $passes $state $made }
            const ARGUMENTS: &[$crate::row::Argument] = &$crate::__row!(@arguments $arguments $results);
            $crate::row::Spec {
                name: __NAME,
                signature: $crate::row::text(&SIGNATURE),
                doc: $crate::row::text(&DOC),
                file: concat!("kernels/", $crate::__row!(@file $class $name), ".rs"),
                derivative: $crate::__row!(@derivative $($derivative)*),
                architectures: $crate::__row!(@architectures [$class $name] $passes),
                loops: $crate::__row!(@is_element_wise $passes) || $crate::row::has_rows(ARGUMENTS),
                allow_cuda_graph: true,
                arguments: $crate::row::checked(ARGUMENTS, $crate::__row!(@inherited $class)..$crate::__entry!(@count $variables)),
                dimensions: &DIMENSIONS,
                variables: VARIABLES,
                variants: &$crate::plan::variants(&__PLANS),
                class: $crate::__row!(@class $methods),
            }
        };
    };

    (@full_name [] $name:ident) => { stringify!($name) };
    (@full_name [$class:ident $($inherited:ident)*] $name:ident) => { concat!(stringify!($class), ".", stringify!($name)) };
    (@file [] $name:ident) => { stringify!($name) };
    (@file [$class:ident $($inherited:ident)*] $name:ident) => { stringify!($class) };
    (@inherited []) => { 0 };
    (@inherited [$class:ident $($inherited:tt)*]) => { $crate::__entry!(@count [$($inherited)*]) };
    (@plans [$($method:ident)*]) => { &[$(&$method::__PLANS),*] };
    (@class []) => { None };
    (@class [$($method:ident)+]) => {
        Some($crate::row::Class { methods: &[$($method::FUNCTION),+], destroy: $crate::plan::destroy })
    };
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

    (@is_element_wise [{$suffix:tt elements $($form:tt)*}]) => { true };
    (@is_element_wise $passes:tt) => { false };

    // ---- variables
    (@variables $index:expr, []) => {};
    (@variables $index:expr, [{$variable:ident $dtypes:tt} $($more:tt)*]) => {
        type $variable = $crate::row::Variable<{ $index }>;
        $crate::__row! { @variables $index + 1, [$($more)*] }
    };
    (@dtypes [$({$variable:ident [$($dtype:ident)+]})*]) => {
        [$($crate::row::DTypes { name: stringify!($variable), dtypes: &[$(<$dtype as $crate::row::Typed>::DTYPE),+] }),*]
    };

    // ---- arguments and results
    (@arguments [$($argument:tt)*] [$($result:tt)*]) => {
        [$($crate::__row!(@argument $argument),)* $($crate::__row!(@argument $result),)*]
    };
    (@argument {$x:ident $mode:ident [$t:tt] [$($extent:tt)*] ($($default:tt)*) $place:ident}) => {
        $crate::row::with_choices($crate::row::argument(
            $crate::__row!(@name $x $place),
            $crate::row::mode::$mode,
            <$t as $crate::row::Typed>::TYPE,
            $crate::row::shape(&ALL, EXTENTS.of(SHAPES, stringify!($($extent)*)), stringify!($($extent)*)),
            $crate::row::Place::$place,
            $crate::__row!(@default $($default)*),
        ), $crate::__row!(@choices $($default)*), $crate::__row!(@chooses $($default)*), <$t as $crate::row::Typed>::ITEMS)
    };
    (@name $x:ident unnamed) => { "" };
    (@name $x:ident pos) => { stringify!($x) };
    (@name $x:ident kw) => { stringify!($x) };
    (@name $x:ident $place:ident) => { $crate::row::name(stringify!($x)) };
    (@default) => { None };
    (@default real $t:ident) => { None };
    (@choices one of [$($choice:ident)+] $($default:ident)?) => { &[$(stringify!($choice)),+] };
    (@choices dtype $t:ident $($dtype:ident)?) => { $crate::row::choices_of(<$t as $crate::row::Typed>::TYPE, VARIABLES, &NAMES) };
    (@choices $($default:tt)*) => { &[] };
    (@chooses dtype $t:ident $($dtype:ident)?) => { Some($crate::row::variable_of(<$t as $crate::row::Typed>::TYPE)) };
    (@chooses $($default:tt)*) => { None };
    (@default dtype $t:ident) => { None };
    (@default dtype $t:ident $dtype:ident) => {
        Some($crate::row::DefaultValue::Number($crate::row::Number::Integer(
            $crate::row::index_of($crate::__row!(@dtype $dtype), $crate::__row!(@choices dtype $t $dtype))
        )))
    };
    (@default one of $choices:tt) => { None };
    (@default one of [$($choice:ident)+] $default:ident) => {
        Some($crate::row::DefaultValue::Number($crate::row::Number::Integer(
            $crate::row::index_of(stringify!($default), &[$(stringify!($choice)),+])
        )))
    };
    (@default items $($item:expr);+) => {
        Some($crate::row::DefaultValue::Items(
            &[$($crate::row::number(stringify!($item), $item as i64, $item as f64)),+]
        ))
    };
    (@default flags $($flag:tt);+) => {
        Some($crate::row::DefaultValue::Items(&[$($crate::__row!(@flag $flag)),+]))
    };
    (@flag true) => { $crate::row::Number::Integer(1) };
    (@flag false) => { $crate::row::Number::Integer(0) };
    (@default None) => { Some($crate::row::DefaultValue::Nothing) };
    (@default true) => { Some($crate::row::DefaultValue::Number($crate::row::Number::Integer(1))) };
    (@default false) => { Some($crate::row::DefaultValue::Number($crate::row::Number::Integer(0))) };
    (@default $default:expr) => {
        Some($crate::row::DefaultValue::Number($crate::row::number(stringify!($default), $default as i64, $default as f64)))
    };
    (@shapes [$({$x:ident $mode:ident $t:tt [$($extent:tt)*] $($a:tt)*})*]
        [$({$y:ident $of:ident $u:tt [$($length:tt)*] $($b:tt)*})*]) => {
        &[$(stringify!($($extent)*),)* $(stringify!($($length)*)),*]
    };
    (@numbers [$($argument:tt)*]) => { &[$($crate::__row!(@number $argument)),*] };
    (@number {$x:ident scalar $t:tt $extents:tt (dtype $($default:tt)*) $place:ident}) => { "" };
    (@number {$x:ident scalar $($rest:tt)*}) => { stringify!($x) };
    (@number {$x:ident $($rest:tt)*}) => { "" };

    // ---- what all passes together must do
    (@check $arguments:tt [$({$y:ident $($result:tt)*})*] [$({$s:ident $scratch:ident $($of:tt)*})*] [$($pass:tt)*] [$($state:tt)*] [$($made:tt)*]) => {
        const WRITES: &[&[&str]] = &[$($crate::__form!(@writes $pass)),*];
        const ONCE: &[&[&str]] = &[$($crate::__row!(@once $pass)),*];
        $(const _: () = assert!(
            $crate::row::is_written(stringify!($y), ONCE),
            concat!("no pass writes the result `", stringify!($y), "`, unless in a loop, which may have no steps")
        );)*
        $(const _: () = assert!(
            $crate::plan::Mode::$scratch.is_counter() || $crate::row::is_written(stringify!($s), WRITES),
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
            !(false $(|| $crate::plan::Mode::$mode.has_strides())*),
            "a body of one expression is for contiguous arrays; for others write `each y[i] {{ … }}`"
        );
    };
    (@one_shape $pass:tt) => {};

    // ---- the declaration in the words of NumPy
    (@signature $class:tt $name:ident $variables:tt [$($argument:tt)*] [$($result:tt)*]) => {
        concat!(
            stringify!($name), $crate::__row!(@text_own $class $variables),
            "(", $crate::__row!(@text_arguments pos "" $($argument)*), ")",
            $crate::__row!(@text_results " -> " $($result)*)
        )
    };
    (@text_own [$class:ident $first:ident $($inherited:ident)*] [$variable:tt $($variables:tt)*]) => {
        $crate::__row!(@text_own [$class $($inherited)*] [$($variables)*])
    };
    (@text_own $class:tt $variables:tt) => { $crate::__row!(@text_variables $variables) };
    (@text_variables []) => { "" };
    (@text_variables [{$v:ident [$d:ident $($e:ident)*]} $({$w:ident [$f:ident $($g:ident)*]})*]) => {
        concat!(
            "<", stringify!($v), ": ", $crate::__row!(@dtype $d), $(", ", $crate::__row!(@dtype $e),)*
            $(", ", stringify!($w), ": ", $crate::__row!(@dtype $f), $(", ", $crate::__row!(@dtype $g),)*)* ">"
        )
    };
    (@text_arguments $place:ident $before:literal) => { "" };
    (@text_arguments pos $before:literal {$x:ident $mode:ident $t:tt $extents:tt $default:tt kw} $($more:tt)*) => {
        concat!($before, "*, ", $crate::__row!(
            @text_arguments kw "" {$x $mode $t $extents $default kw} $($more)*
        ))
    };
    (@text_arguments $now:ident $before:literal
        {$x:ident $mode:ident $t:tt $extents:tt (flags $($flag:tt);+) $place:ident} $($more:tt)*) => {
        $crate::__row!(@text_arguments $now $before {$x $mode $t $extents (items $($flag);+) $place} $($more)*)
    };
    (@text_arguments $now:ident $before:literal
        {$x:ident $mode:ident [$t:tt] $extents:tt (items $first:expr $(; $item:expr)*) $place:ident} $($more:tt)*) => {
        concat!(
            $before, stringify!($x), ": ", $crate::__row!(@dtype $t), " = (", stringify!($first), $(", ", stringify!($item),)*
            ")", $crate::__row!(@text_arguments $now ", " $($more)*)
        )
    };
    (@text_arguments $now:ident $before:literal
        {$x:ident $mode:ident $t:tt $extents:tt (one of [$first:ident $($choice:ident)*] $($default:ident)?) $place:ident}
        $($more:tt)*) => {
        concat!(
            $before, stringify!($x), ": {'", stringify!($first), $("', '", stringify!($choice),)* "'}",
            $(" = '", stringify!($default), "'",)? $crate::__row!(@text_arguments $now ", " $($more)*)
        )
    };
    (@text_arguments $now:ident $before:literal
        {$x:ident $mode:ident $t:tt $extents:tt (dtype $v:ident $dtype:ident) $place:ident} $($more:tt)*) => {
        concat!(
            $before, stringify!($x), ": ", stringify!($v), " = ", $crate::__row!(@dtype $dtype),
            $crate::__row!(@text_arguments $now ", " $($more)*)
        )
    };
    (@text_arguments $now:ident $before:literal
        {$x:ident $mode:ident $t:tt $extents:tt (dtype $v:ident) $place:ident} $($more:tt)*) => {
        concat!(
            $before, stringify!($x), ": dtype(", stringify!($v), ")",
            $crate::__row!(@text_arguments $now ", " $($more)*)
        )
    };
    (@text_arguments $now:ident $before:literal
        {$x:ident $mode:ident [$t:tt] $extents:tt ($($default:expr)?) $place:ident} $($more:tt)*) => {
        concat!(
            $before, stringify!($x), ": ", $crate::__row!(@text_mode $mode), $crate::__row!(@dtype $t),
            $crate::__row!(@text_extents $mode $extents), $crate::__row!(@text_layout $mode), $(" = ", stringify!($default),)?
            $crate::__row!(@text_arguments $now ", " $($more)*)
        )
    };
    (@text_results $before:literal) => { "" };
    (@text_results $before:literal {$y:ident out [$t:ident] $extents:tt () $place:ident} $($more:tt)*) => {
        concat!(
            $before, $crate::__row!(@text_name $y $place), $crate::__row!(@text_mode $place), $crate::__row!(@dtype $t),
            $crate::__row!(@text_extents $place $extents), $crate::__row!(@text_results ", " $($more)*)
        )
    };
    (@text_results $before:literal {$y:ident out $alias:tt $extents:tt (real $t:ident) $place:ident} $($more:tt)*) => {
        concat!(
            $before, $crate::__row!(@text_name $y $place), "real(", stringify!($t), ")",
            $crate::__row!(@text_extents $place $extents), $crate::__row!(@text_results ", " $($more)*)
        )
    };
    (@text_results $before:literal {$y:ident found [$t:ident] [$($extent:tt)*] () $place:ident} $($more:tt)*) => {
        concat!(
            $before, $crate::__row!(@text_name $y $place), $crate::__row!(@dtype $t),
            "(at most ", stringify!($($extent)*), ")", $crate::__row!(@text_results ", " $($more)*)
        )
    };
    (@text_name $y:ident unnamed) => { "" };
    (@text_name $y:ident $place:ident) => { concat!(stringify!($y), ": ") }; // see `row::signature`
    (@text_mode inout) => { "inout " };
    (@text_mode fresh) => { "out " };
    (@text_mode saved) => { "saved " };
    (@text_mode maybe_inout) => { $crate::__row!(@text_mode inout) };
    (@text_mode maybe_fresh) => { $crate::__row!(@text_mode fresh) };
    (@text_mode inout_strided) => { $crate::__row!(@text_mode inout) };
    (@text_mode fresh_strided) => { $crate::__row!(@text_mode fresh) };
    (@text_mode inout_rows) => { $crate::__row!(@text_mode inout) };
    (@text_mode fresh_rows) => { $crate::__row!(@text_mode fresh) };
    (@text_mode $mode:ident) => { "" };
    (@text_extents maybe [$($extent:tt)*]) => { concat!("(", stringify!($($extent)*), ")?") };
    (@text_extents maybe_inout $extents:tt) => { $crate::__row!(@text_extents maybe $extents) };
    (@text_extents maybe_fresh $extents:tt) => { $crate::__row!(@text_extents maybe $extents) };
    (@text_extents scalar $extents:tt) => { "" };
    (@text_extents number $extents:tt) => { "" };
    (@text_extents unnamed $extents:tt) => { "" };
    (@text_extents $mode:ident [$($extent:tt)*]) => { concat!("(", stringify!($($extent)*), ")") };
    (@text_layout read_strided) => { " strided" };
    (@text_layout inout_strided) => { " strided" };
    (@text_layout fresh_strided) => { " strided" };
    (@text_layout read_rows) => { " rows" };
    (@text_layout inout_rows) => { " rows" };
    (@text_layout fresh_rows) => { " rows" };
    (@text_layout $mode:ident) => { "" };
    (@dtype [$t:ident; $n:literal]) => { concat!($crate::__row!(@dtype $t), "[", $n, "]") };
    (@dtype f16) => { "float16" };
    (@dtype bf16) => { "bfloat16" };
    (@dtype f8e4m3) => { "float8_e4m3fn" };
    (@dtype f8e5m2) => { "float8_e5m2" };
    (@dtype f32) => { "float32" };
    (@dtype f64) => { "float64" };
    (@dtype i8) => { "int8" };
    (@dtype i16) => { "int16" };
    (@dtype i32) => { "int32" };
    (@dtype i64) => { "int64" };
    (@dtype u8) => { "uint8" };
    (@dtype u16) => { "uint16" };
    (@dtype u32) => { "uint32" };
    (@dtype u64) => { "uint64" };
    (@dtype usize) => { "int64" };
    (@dtype $dtype:ident) => { stringify!($dtype) };
}
