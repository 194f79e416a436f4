//! Forms of passes: how much work each is, and what a thread does.

#[doc(hidden)]
#[macro_export]
macro_rules! __form {
    // ---- what a pass writes
    (@writes {$suffix:tt elements [$({$x:ident $mode:ident $($rest:tt)*})*] $body:tt}) => {
        &[$($crate::__form!(@written $mode $x)),*]
    };
    (@written inout $x:ident) => { stringify!($x) };
    (@written fresh $x:ident) => { stringify!($x) };
    (@written maybe_inout $x:ident) => { stringify!($x) };
    (@written maybe_fresh $x:ident) => { stringify!($x) };
    (@written out $x:ident) => { stringify!($x) };
    (@written $mode:ident $x:ident) => { "" };
    (@writes {$suffix:tt each $y:ident $($rest:tt)*}) => { &[stringify!($y)] };
    (@writes {$suffix:tt rows [$({$y:ident $($of:tt)*})+] $($rest:tt)*}) => { &[$(stringify!($y)),+] };
    (@writes {$suffix:tt own [$({$y:ident $index:tt})+] $($rest:tt)*}) => { &[$(stringify!($y)),+] };
    (@writes {$suffix:tt tile $y:ident $($rest:tt)*}) => { &[stringify!($y)] };
    (@writes {$suffix:tt over $($rest:tt)*}) => { &["*"] };
    (@writes {$suffix:tt fold $parts:ident [$($result:ident)+] $($rest:tt)*}) => {
        &[stringify!($parts), $(stringify!($result)),+]
    };
    (@writes {$suffix:tt total $parts:ident [$($result:ident)+] $($rest:tt)*}) => { &[$(stringify!($result)),+] };
    (@writes {$suffix:tt scan_parts $parts:ident $($rest:tt)*}) => { &[stringify!($parts)] };
    (@writes {$suffix:tt scan $parts:ident $y:ident $($rest:tt)*}) => { &[stringify!($y)] };

    // ---- its kernels: one for each way in which blocks load rows, in the order of `Loaded`, with the end of its name
    (@loaded {$suffix:tt rows $targets:tt block $($form:tt)+} [$macro:ident $rule:ident] $($rest:tt)*) => {
        $crate::$macro! {
            @$rule [
                Singly "_singly" SinglesKept "_singles_kept" InPacks "_in_packs"
                ShortKept "_short_kept" PacksKept "_packs_kept" LongKept "_long_kept"
            ]
            $($rest)*
        }
    };
    (@loaded {$suffix:tt each $y:ident $index:tt [block] $($form:tt)+} $($then:tt)*) => {
        $crate::__form! { @loaded {$suffix rows [] block each $y} $($then)* }
    };
    // And for elements one that a walk leads to.
    (@loaded {$suffix:tt elements $($form:tt)+} [$macro:ident $rule:ident] $($rest:tt)*) => {
        $crate::$macro! { @$rule [Singly "" Singly "_walked"] $($rest)* }
    };
    (@loaded $pass:tt [$macro:ident $rule:ident] $($rest:tt)*) => { $crate::$macro! { @$rule [Singly ""] $($rest)* } };

    // ---- what a thread, a warp or a block of it is for, and how much there is
    (@unit elements $($rest:tt)*) => { $crate::pipeline::Unit::Elements };
    (@unit each $y:ident $index:tt [] $body:block $written:tt) => { $crate::pipeline::Unit::Threads };
    (@unit each $y:ident [$i:ident, $j:ident] [with $($tiles:tt)*] $body:block $written:tt) => { $crate::pipeline::Unit::Tiles };
    (@unit each $y:ident $index:tt [with $($tiles:tt)*] $body:block $written:tt) => { $crate::pipeline::Unit::Threads };
    (@unit each $y:ident $index:tt [warp] $body:block $written:tt) => { $crate::pipeline::Unit::Warps };
    (@unit each $y:ident $index:tt [block] $body:block $written:tt) => { $crate::pipeline::Unit::Blocks };
    (@unit rows $targets:tt warp $body:block $written:tt) => { $crate::pipeline::Unit::Warps };
    (@unit rows $targets:tt block $body:block $written:tt) => { $crate::pipeline::Unit::Blocks };
    (@unit own $($rest:tt)*) => { $crate::pipeline::Unit::Blocks };
    (@unit tile $($rest:tt)*) => { $crate::pipeline::Unit::Blocks };
    (@unit over $($rest:tt)*) => { $crate::pipeline::Unit::Over };
    (@unit fold $($rest:tt)*) => { $crate::pipeline::Unit::Blocks };
    (@unit total $($rest:tt)*) => { $crate::pipeline::Unit::Blocks };
    (@unit scan_parts $($rest:tt)*) => { $crate::pipeline::Unit::Blocks };
    (@unit scan $($rest:tt)*) => { $crate::pipeline::Unit::Blocks };
    // How many threads a block has.
    (@threads own $targets:tt $block:ident [$($side:literal)+] $($rest:tt)*) => {
        $crate::grid::threads(1 $(* $side)+)
    };
    (@threads tile $y:ident $index:tt $tile:ident $sides:tt $($rest:tt)*) => { $crate::grid::tile_threads($sides) };
    (@threads over $block:ident $x:ident [$threads:literal, $blocks:expr] $($rest:tt)*) => { $crate::grid::threads($threads) };
    (@threads $($form:tt)+) => { $crate::grid::BLOCK };
    // How much shared memory it has, besides the owner's.
    (@memory tile $y:ident $index:tt $tile:ident $sides:tt $($rest:tt)*) => { $crate::grid::tile_shared($sides) };
    (@memory $($form:tt)+) => { 0 };
    (@work elements [$({$x:ident $mode:ident $($rest:tt)*})*] $body:tt) => {
        $crate::pipeline::Work::of(0 $(.max($crate::__form!(@len $mode $x)))*)
    };
    (@len scalar $x:ident) => { 0 };
    (@len $mode:ident $x:ident) => { $crate::grid::Count::count(&$x) };
    (@work each $y:ident [$i:ident, $j:ident] [with $({$x:ident $beyond:ident $halo:expr})+] $body:block $written:tt) => {
        $crate::pipeline::Work::of($crate::grid::near::tiles($y.shape()))$(.with_tile(&$x, $halo))+
    };
    // A block reads as much for an element as there is for each, or a row.
    (@work_of_all $all:tt each $y:ident $index:tt [block] $($rest:tt)*) => { $crate::__form!(@work_of_elements $all $y) };
    (@work_of_all $all:tt rows [{$first:ident single $index:tt} $({$y:ident single $same:tt})*] block $body:block $written:tt) => {{
        $crate::__form! { @indices $index $($same)* }
        $crate::__form!(@work_of_elements $all $first $($y)*)
    }};
    (@work_of_elements $all:tt $y:ident $($other:ident)*) => {{
        let elements = $crate::grid::Count::count(&$y);
        let row = $crate::__form!(@longest_row $all $y $($other)*);
        let read = row.max($crate::__form!(@longest_of $all count $y $($other)*) / elements.max(1));
        $crate::pipeline::Work::of_rows(elements, $crate::grid::SharedRows {
            row, share: read, read, packs: __ROW.read(), are_packed: $crate::__form!(@aligned $all),
        })
    }};
    (@work_of_all $all:tt rows [{$first:ident $kind:ident $index:tt} $({$y:ident $other:ident $same:tt})*] block $body:block $written:tt) => {{
        $crate::__form! { @indices $index $($same)* }
        let share = $crate::__form!(@len_of $kind $first)$(.max($crate::__form!(@len_of $other $y)))*;
        let are_one_length = $crate::__form!(@is_row $kind $first share) $(&& $crate::__form!(@is_row $other $y share))*;
        let are_packed = $crate::__form!(@is_contiguous $kind $first) $(&& $crate::__form!(@is_contiguous $other $y))*;
        let rows = $crate::__form!(@rows_of $kind $first);
        let read = share.max($crate::__form!(@longest $all count) / rows.max(1));
        $crate::pipeline::Work::of_rows(rows, $crate::grid::SharedRows {
            row: if are_one_length { share } else { 0 },
            share, read, packs: __ROW, are_packed: are_packed && $crate::__form!(@aligned $all),
        })
    }};
    (@work_of_all $all:tt $($form:tt)+) => { $crate::__form!(@work $($form)+) };
    // The longest row that is of no array that is written.
    (@longest_row $all:tt $($y:ident)+) => { $crate::__form!(@longest_of $all row $($y)+) };
    (@longest_of $all:tt $of:ident $($y:ident)+) => {{
        $(let $y = ();)+
        $crate::__form!(@longest $all $of)
    }};
    (@longest [$({$x:ident $mode:ident [$t:tt] $extents:tt $($rest:tt)*})*] $of:ident) => {
        0 $(.max($crate::__form!(@extent $mode $x $of $extents)))*
    };
    (@extent scalar $x:ident $of:ident $extents:tt) => { 0 };
    (@extent counter $x:ident $of:ident $extents:tt) => { 0 };
    (@extent found $x:ident $of:ident $extents:tt) => { 0 };
    (@extent $mode:ident $x:ident row [...]) => { 0 }; // an element for each row
    (@extent $mode:ident $x:ident $of:ident $extents:tt) => { $crate::grid::Count::$of(&$x) };
    (@work each $y:ident $($rest:tt)*) => { $crate::pipeline::Work::of($crate::grid::Count::count(&$y)) };
    (@work rows [{$first:ident $kind:ident $index:tt} $({$y:ident $other:ident $same:tt})*] warp $body:block $written:tt) => {{
        $crate::__form! { @indices $index $($same)* }
        $crate::pipeline::Work::of($crate::__form!(@rows_of $kind $first))
    }};
    (@indices $index:tt $($same:tt)*) => {
        $(
            const _: () = assert!(
                $crate::row::same(stringify!($index), stringify!($same)),
                "the indices of all that a pass writes are the same"
            );
        )*
    };
    (@rows_of whole $y:ident) => { $crate::grid::rows(&$y) };
    (@rows_of single $y:ident) => { $crate::grid::Count::count(&$y) };
    (@len_of whole $y:ident) => { $crate::grid::Count::row(&$y) };
    (@len_of single $y:ident) => { 0 };
    (@is_row whole $y:ident $row:ident) => { $crate::grid::Count::row(&$y) == $row };
    (@is_row single $y:ident $row:ident) => { true };
    (@is_contiguous whole $y:ident) => { $crate::grid::Count::is_contiguous(&$y) };
    (@is_contiguous single $y:ident) => { true };
    (@work own [{$first:ident $index:tt} $({$y:ident $same:tt})*] $block:ident [$($side:literal)+] $shared:tt $($rest:tt)*) => {{
        $crate::__form! { @indices $index $($same)* }
        $crate::__form!(@shared $shared $crate::pipeline::Work::of($crate::grid::tiles($first.shape(), [$($side),+])))
    }};
    (@work tile $y:ident $index:tt $tile:ident $sides:tt $($rest:tt)*) => {
        $crate::pipeline::Work::of($crate::grid::tiles($y.shape(), $sides))
    };
    (@work over $block:ident $x:ident [$($threads:literal, $blocks:expr)?] $shared:tt $body:block) => {
        $crate::__form!(@shared $shared $crate::pipeline::Work::of($x.len())$(.in_blocks({
            #[deny(unsafe_code)]
            let blocks = $blocks;
            blocks
        }))?)
    };
    (@shared [$({$s:ident $t:ident $len:expr})*] $work:expr) => {
        $work$(.with_shared::<$t>({
            #[deny(unsafe_code)]
            let len = $len;
            len
        }))*
    };
    (@work fold $parts:ident $($rest:tt)*) => { $crate::pipeline::Work::of($parts.len()) };
    (@work total $parts:ident $($rest:tt)*) => { $crate::pipeline::Work::of(($parts.len() != 1).into()) };
    (@work scan_parts $parts:ident $($rest:tt)*) => { $crate::pipeline::Work::of($parts.len()) };
    (@work scan $parts:ident $($rest:tt)*) => { $crate::pipeline::Work::of($parts.len()) };

    // ---- for each element
    (@run $grid:ident $L:ident $all:tt elements [$({$x:ident $mode:ident [$t:tt] $extents:tt $($rest:tt)*})*] { $($body:tt)* }) => {
        let split = $crate::grid::Split::of($L);
        $(let split = $crate::grid::Lanes::<$L>::split(&$x, split);)*
        // SAFETY, of all four: inside the arrays, and no other thread has these elements. The owner's
        // code is in none of the `unsafe` blocks.
        $grid.elements(split, |at| {
            $(let mut $x = ($x, unsafe { $crate::grid::Lanes::<$L>::load(&$x, at) });)*
            $crate::__form! { @lanes [lane $L] true, [$({$x $mode [$t] $extents})*] { $($body)* } }
            $(unsafe { $crate::grid::Lanes::<$L>::store(&$x.0, at, $x.1) };)*
        }, |at| {
            $(let mut $x = ($x, unsafe { $crate::grid::Lanes::<$L>::load_one(&$x, at) });)*
            {
                $(let $x = $crate::__form!(@of one $L $mode $t $extents)(&mut $x.1);)*
                #[deny(unsafe_code)]
                let () = { $($body)* };
            }
            $(unsafe { $crate::grid::Lanes::<$L>::store_one(&$x.0, at, $x.1) };)*
        });
    };
    // Those that a walk leads to: a pack, or one at a time.
    (@walk $walk:ident $L:ident [$({$x:ident $mode:ident [$t:tt] $extents:tt $($rest:tt)*})*] { $($body:tt)* }) => {
        $walk.of_thread::<$L>(|mut steps| {
            $(
                let (offset, step) = steps.next();
                let $x = ($crate::grid::Lanes::<$L>::moved($x, offset), step);
            )*
            // SAFETY, of all four: inside the arrays, and no other thread has these elements.
            if steps.is_whole() {
                $(let mut $x = ($x.0, unsafe { $crate::grid::Lanes::<$L>::load(&$x.0, 0) });)*
                $crate::__form! { @lanes [lane $L] true, [$({$x $mode [$t] $extents})*] { $($body)* } }
                $(unsafe { $crate::grid::Lanes::<$L>::store(&$x.0, 0, $x.1) };)*
            } else {
                $(let mut $x = ($x, unsafe { $crate::grid::Lanes::<$L>::gather(&$x.0, &$x.1) });)*
                $crate::__form! { @lanes [lane $L] lane < steps.count(), [$({$x $mode [$t] $extents})*] { $($body)* } }
                $(unsafe { $crate::grid::Lanes::<$L>::scatter(&$x.0.0, &$x.0.1, $x.1) };)*
            }
        });
    };
    (@lanes [$lane:ident $L:ident] $is_there:expr, [$({$x:ident $mode:ident [$t:tt] $extents:tt})*] $body:tt) => {
        for $lane in 0..$L {
            if $is_there {
                $(let $x = $crate::__form!(@of lane $L $mode $t $extents)(&mut $x.1, $lane);)*
                #[deny(unsafe_code)]
                let () = $body;
            }
        }
    };
    (@of $method:ident $L:ident $mode:ident $t:tt $extents:tt) => {
        <$crate::__entry!(@opened $mode $t $extents) as $crate::grid::Lanes<$L>>::$method
    };

    // ---- each element of an array, by its index
    (@run $grid:ident $L:ident $all:tt each $y:ident $index:tt [] $body:block $written:tt) => {
        let target = $crate::__form!(@target $y $written);
        $crate::__form! { @readable $written }
        $grid.each(target, |$index, $y| {
            #[deny(unsafe_code)]
            let value = $body;
            value
        });
    };
    (@run $grid:ident $L:ident $all:tt each $y:ident [$i:ident, $j:ident] [with $({$x:ident $beyond:ident $halo:expr})+]
        $body:block $written:tt) => {
        let target = $crate::__form!(@target $y $written);
        $crate::__form! { @readable $written }
        let mut taken = 0;
        $(
            // SAFETY: launched with so much, and the declaration is checked: it is not the one that is written.
            let $x = unsafe {
                $crate::grid::near::Tiled::<_, $crate::grid::near::$beyond, { $halo }, _>::new($x, &mut taken)
            };
        )+
        $grid.each_by_tile(target, |first| { $($x.load(first);)+ }, |[$i, $j], $y, place| {
            // SAFETY: the arrays are of the shape of the target.
            $(let $x = unsafe { $x.at(place) };)+
            #[deny(unsafe_code)]
            let value = $body;
            value
        });
    };
    (@run $grid:ident $L:ident $all:tt each $y:ident $index:tt [with $({$x:ident $beyond:ident $halo:expr})+]
        $body:block $written:tt) => {
        let target = $crate::__form!(@target $y $written);
        $crate::__form! { @readable $written }
        // SAFETY: the declaration is checked: it is not the one that is written.
        $(let $x = unsafe {
            $crate::grid::near::Cached::<_, $crate::grid::near::$beyond, { $halo }, _, _>::new($x)
        };)+
        $grid.each(target, |_place, $y| {
            // SAFETY: the arrays are of the shape of the target.
            $(let $x = unsafe { $x.at(_place) };)+
            let $index = _place;
            #[deny(unsafe_code)]
            let value = $body;
            value
        });
    };
    (@run $grid:ident $L:ident $all:tt each $y:ident $index:tt [$team:ident] $body:block $written:tt) => {
        let target = $crate::__form!(@target $y $written);
        $crate::__form! { @each_by $team [$team] $grid $all target $y $index $body $written }
    };
    (@each_by warp [$warp:ident] $grid:ident $all:tt $target:ident $y:ident $index:tt $body:block $written:tt) => {
        $crate::__form! { @each_as [each_by_warp] $grid [$target] $y $index $warp $body $written }
    };
    (@each_by block [$block:ident] $grid:ident $all:tt $target:ident $y:ident $index:tt $body:block $written:tt) => {
        #[cfg(not(target_arch = "nvptx64"))]
        $crate::__form! { @each_as [each_by_block] $grid [$target] $y $index $block $body $written }
        #[cfg(target_arch = "nvptx64")]
        {
            const __READ: $crate::grid::Packs = __ROW.read();
            const __KIND: [usize; 2] = __READ.kind(__LOADED);
            $crate::grid::registers_for::<{ __READ.threads(__LOADED) }>();
            let row = $crate::__form!(@longest_row $all $y);
            $crate::__form! { @assume_aligned $all }
            if __READ.has(__LOADED) {
                $crate::__form! {
                    @each_as [each_by_block::<{ __KIND[0] }, { __KIND[1] }, _, _, _, _>] $grid [$target, row] $y $index $block $body $written
                }
            }
        }
    };
    (@each_as [$($by:tt)+] $grid:ident [$($of:ident),+] $y:ident $index:tt $team:ident $body:block $written:tt) => {{
        $crate::__form! { @readable $written }
        $grid.$($by)+($($of,)+ |$index, $y, $team| {
            #[deny(unsafe_code)]
            let value = $body;
            value
        });
    }};
    // ---- what a warp or a block writes at once
    (@run $grid:ident $L:ident $all:tt rows [{$first:ident $kind:ident $index:tt} $({$y:ident $other:ident $same:tt})*]
        $team:ident $body:block $written:tt) => {
        let targets = ($crate::__form!(@row_target $kind $first $written) $(, $crate::__form!(@row_target $other $y $written))*);
        $crate::__form! { @rows $team [$team] [$kind $($other)*] $grid $all targets $index [$first $($y)*] $body $written }
    };
    (@rows warp [$warp:ident] $kinds:tt $grid:ident $all:tt $targets:ident $index:tt $names:tt $body:block $written:tt) => {
        $crate::__form! { @rows_as [rows_by_warp::<] $grid [$targets] $index $names $warp $body $written }
    };
    (@rows block [$block:ident] $kinds:tt $grid:ident $all:tt $targets:ident $index:tt $names:tt $body:block $written:tt) => {
        #[cfg(not(target_arch = "nvptx64"))]
        $crate::__form! { @rows_as [rows_by_block::<] $grid [$targets] $index $names $block $body $written }
        #[cfg(target_arch = "nvptx64")]
        {
            const __ROWS: $crate::grid::Packs = $crate::__form!(@packs_of $kinds);
            const __KIND: [usize; 2] = __ROWS.kind(__LOADED);
            $crate::grid::registers_for::<{ __ROWS.threads(__LOADED) }>();
            let row = $crate::__form!(@row_of $kinds $all $names);
            $crate::__form! { @assume_aligned $all }
            if __ROWS.has(__LOADED) {
                $crate::__form! {
                    @rows_as [rows_by_block::<{ __KIND[0] }, { __KIND[1] },] $grid [$targets, row] $index $names $block $body $written
                }
            }
        }
    };
    // Elements alone are of rows that are read.
    (@packs_of [$(single)+]) => { __ROW.read() };
    (@packs_of $kinds:tt) => { __ROW };
    (@row_of [$(single)+] $all:tt [$($y:ident)+]) => { $crate::__form!(@longest_row $all $($y)+) };
    (@row_of $kinds:tt $all:tt $names:tt) => { 0 };
    (@rows_as [$($by:tt)+] $grid:ident [$($of:ident),+] $index:tt [$($y:ident)+] $team:ident $body:block $written:tt) => {{
        $crate::__form! { @readable $written }
        $grid.$($by)+ { $crate::__entry!(@rank $index) }, _, _>($($of,)+ |$index, ($($y),+), $team| {
            #[deny(unsafe_code)]
            $body
        });
    }};
    (@aligned [$({$x:ident $mode:ident $($rest:tt)*})*]) => { true $(& $crate::__form!(@aligned_one $mode $x))* };
    // One after the other, or the compiler makes one of them that it does not understand.
    (@assume_aligned [$({$x:ident $mode:ident $($rest:tt)*})*]) => {
        if __LOADED.needs_packs() {
            // SAFETY: the host has chosen this kernel for them.
            $(unsafe { core::hint::assert_unchecked($crate::__form!(@aligned_one $mode $x)) };)*
        }
    };
    (@aligned_one scalar $x:ident) => { true };
    (@aligned_one counter $x:ident) => { true };
    (@aligned_one found $x:ident) => { true };
    (@aligned_one $mode:ident $x:ident) => { $crate::grid::Count::is_aligned(&$x) };
    (@row_target whole $y:ident $written:tt) => { $crate::grid::Whole($crate::__form!(@target $y $written)) };
    (@row_target single $y:ident $written:tt) => { $crate::grid::Single($crate::__form!(@target $y $written)) };
    // The array that is written; if an earlier pass has written it, too, its elements have values.
    (@target $y:ident [$($written:ident)*]) => {{
        $(let $written = $crate::grid::Written::again($written);)*
        // SAFETY: nothing else uses it: its name is taken in the pass.
        unsafe { $crate::grid::Writable::target($y) }
    }};
    // Arrays that earlier passes have written; nobody can read others.
    (@readable [$($written:ident)*]) => { $(let $written = $crate::grid::Written::readable($written);)* };
    (@run $grid:ident $L:ident $all:tt own [{$first:ident $index:tt} $({$y:ident $same:tt})*] $block:ident [$($side:literal)+]
        [$({$s:ident $t:ident $len:expr})*] $body:block $written:tt) => {
        let targets = ($crate::__form!(@target $first $written) $(, $crate::__form!(@target $y $written))*);
        $crate::__form! { @readable $written }
        $grid.each_by_threads::<_, _, { 1 $(* $side)+ }>(targets, [$($side),+], |$index, ($first $(, $y)*), $block| {
            let mut taken = 0;
            $(
                #[deny(unsafe_code)]
                let len = $len;
                // SAFETY: launched with so much, and each has its own.
                let mut $s = unsafe { $crate::grid::Local::<$t>::new($grid, &mut taken, len) };
            )*
            $grid.wait();
            #[deny(unsafe_code)]
            let values = $body;
            values
        });
    };
    (@run $grid:ident $L:ident $all:tt tile $y:ident $index:tt $tile:ident [$rows:literal, $columns:literal] $body:block $written:tt) => {
        let target = $crate::__form!(@target $y $written);
        $crate::__form! { @readable $written }
        $grid.each_by_product::<_, _, _, _, $rows, $columns>(target, |$index, $tile| {
            let $y = $crate::grid::Unwritten;
            #[deny(unsafe_code)]
            let value = $body;
            value
        });
    };
    (@run $grid:ident $L:ident $all:tt over $block:ident $x:ident $launch:tt [$({$s:ident $t:ident $len:expr})*] $body:block) => {
        $crate::__form! { @over $all }
        let mut taken = 0;
        $(
            #[deny(unsafe_code)]
            let len = $len;
            // SAFETY: launched with so much, and each has its own.
            let $s = unsafe { $crate::grid::Shared::<$t>::new($grid, &mut taken, len) };
        )*
        $grid.wait();
        // SAFETY: once a pass.
        let $block = &mut unsafe { $crate::grid::Over::new($grid) };
        #[deny(unsafe_code)]
        let () = $body;
    };
    (@over [$({$x:ident $($rest:tt)*})*]) => {
        $(let $x = $crate::grid::InOver::in_over($x);)*
    };

    // ---- one number of all elements
    (@run $grid:ident $L:ident $all:tt fold $parts:ident [$($result:ident)+] ($($x:ident)+) ($($v:ident)+) $sum:ident
        [$($index:ident)?] ($start:expr) ($add:expr) ($merge:expr) ($finish:expr)) => {
        const __WIDE: usize = $crate::grid::fold_lanes($L);
        let split = $crate::grid::Split::of(__WIDE);
        $(let split = $crate::grid::Lanes::<__WIDE>::split(&$x, split);)+
        #[deny(unsafe_code)]
        let start = $start;
        // SAFETY, of both: inside the arrays.
        let value = $grid.fold::<_, _, __WIDE>(
            split,
            start,
            |at| ($(unsafe { $crate::grid::Lanes::<__WIDE>::load(&$x, at) },)+),
            |$sum, ($($v,)+), lane, _at| {
                $(let $index = _at;)?
                $(let $v = $v[lane];)+
                #[deny(unsafe_code)]
                let value = $add;
                value
            },
            |$sum, at| {
                $(let $index = at;)?
                $(let $v = unsafe { $crate::grid::Lanes::<__WIDE>::load_one(&$x, at) };)+
                #[deny(unsafe_code)]
                let value = $add;
                value
            },
        );
        #[deny(unsafe_code)]
        let (merge, finish) = ($crate::grid::merging(&start, $merge), $crate::grid::finishing(&start, $finish));
        if let Some(value) = $grid.reduce(value, merge) {
            if $parts.len() == 1 {
                let value = finish(value);
                // SAFETY: one thread of one block comes here.
                unsafe { $crate::grid::Numbers::set(($($result),+), value) };
            } else {
                // SAFETY: this block's, and one of its threads has it.
                unsafe { $parts.put($grid.block(), value) };
            }
        }
    };
    (@run $grid:ident $L:ident $all:tt total $parts:ident [$($result:ident)+] ($start:expr) ($merge:expr) ($finish:expr)) => {
        #[deny(unsafe_code)]
        let start = $start;
        #[deny(unsafe_code)]
        let (merge, finish) = ($crate::grid::merging(&start, $merge), $crate::grid::finishing(&start, $finish));
        // SAFETY: put there by the pass before, which has started with the same.
        let value = $grid.fold_numbers($parts.len(), start, |value, part| merge(value, unsafe { $parts.get(part) }));
        if let Some(value) = $grid.reduce(value, merge) {
            let value = finish(value);
            // SAFETY: one thread comes here.
            unsafe { $crate::grid::Numbers::set(($($result),+), value) };
        }
    };

    // ---- what the elements up to each one come to
    (@run $grid:ident $L:ident $all:tt scan_parts $parts:ident $y:ident $i:ident ($start:expr) ($value:expr) ($merge:expr)) => {
        // SAFETY: nothing else uses it: its name is taken below.
        let target = unsafe { $crate::grid::Writable::target($y) };
        #[deny(unsafe_code)]
        let start = $start;
        #[deny(unsafe_code)]
        let merge = $crate::grid::merging(&start, $merge);
        let value = |$i: usize, $y| {
            #[deny(unsafe_code)]
            let value = $value;
            value
        };
        if let Some(value) = $grid.reduce_chunk(target, start, value, merge) {
            // SAFETY: this block's, and one of its threads has it.
            unsafe { $parts.put($grid.block(), value) };
        }
    };
    (@run $grid:ident $L:ident $all:tt scan $parts:ident $y:ident $i:ident ($start:expr) ($value:expr) ($merge:expr)) => {
        // SAFETY: nothing else uses it: the pass before is over, and its name is taken below.
        let target = unsafe { $crate::grid::Writable::target($y) };
        #[deny(unsafe_code)]
        let start = $start;
        #[deny(unsafe_code)]
        let merge = $crate::grid::merging(&start, $merge);
        let value = |$i: usize, $y| {
            #[deny(unsafe_code)]
            let value = $value;
            value
        };
        // SAFETY: put there by the pass before, which has started with the same.
        $grid.scan_chunk(target, start, |part| unsafe { $parts.get(part) }, value, merge);
    };
}
