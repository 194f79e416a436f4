//! Which arrays of a call are copied first, and which bodies get them as they are.

use cuvec_spec::{Layout, Struct};

use super::*;

const SUFFIX: Shape = Shape::leading(&[N]);
const ALL: Shape = Shape::leading(&[]);

/// A function whose body can be in a loop.
fn looping(arguments: &'static [Argument]) -> Function {
    Function::new(Spec {
        loops: true,
        ..function(arguments, None).spec
    })
}

/// The same, whose body takes walks.
fn walking(arguments: &'static [Argument]) -> Function {
    let spec = looping(arguments).spec;
    let with_lanes = |variant: &c::Variant| c::Variant {
        lanes: 4,
        ..*variant
    };
    let variants: Vec<_> = spec.variants.iter().map(with_lanes).collect();
    Function::new(Spec {
        variants: variants.leak(),
        ..spec
    })
}

fn strided(array: &Array, strides: &[isize]) -> Array {
    Array {
        strides: Some(strides.into()),
        ..array.clone()
    }
}

/// Which of the arrays, given as the first arguments, are copied; or why there is no call.
fn copied(function: &Function, all: &[Array]) -> std::result::Result<Vec<bool>, String> {
    let arrays = given(0, all);
    let mut dtypes = Dtypes::default();
    let plan = function
        .dtypes(&arrays, &mut dtypes)
        .and_then(|()| function.plan(&arrays, &no_scalars(), dtypes));
    let plan = plan.map_err(|error| error.to_string())?;
    Ok((0..all.len()).map(|index| plan.copies(index)).collect())
}

#[test]
fn a_function_that_counts_takes_arrays_with_strides() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("i", Type::Fixed(DType::I64), shape(&[N])).at_most(),
    ];
    let x = strided(&arrays(&[&[3]])[0], &[8]);
    assert_eq!(copied(&function(ARGUMENTS, None), &[x]), Ok(vec![true]));
}

#[test]
fn an_array_is_copied_only_if_the_body_cannot_take_it() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])).laid_out(Layout::Strided),
        Argument::input("w", T, shape(&[N])),
        Argument::result("y", T, shape(&[N])),
    ];
    let both = arrays(&[&[3], &[3]]);
    let both: Vec<_> = both.iter().map(|it| strided(it, &[8])).collect();
    let copied = copied(&function(ARGUMENTS, None), &both);
    assert_eq!(copied, Ok(vec![false, true]));
}

#[test]
fn an_array_that_the_call_writes_to_is_copied_for_element_wise_bodies_only() {
    const ELEMENTS: &[Argument] = &[
        Argument::input("x", T, ALL),
        Argument::input("w", T, ALL),
        Argument::inout("y", T, ALL),
    ];
    const ROWS: &[Argument] = &[
        Argument::input("x", T, SUFFIX),
        Argument::input("w", T, SUFFIX),
        Argument::inout("y", T, SUFFIX),
    ];
    let mut all = arrays(&[&[2, 3], &[2, 3], &[2, 3]]);
    all[1] = strided(&all[1], &[24, 8]);
    let (elements, rows) = (looping(ELEMENTS), looping(ROWS));
    assert_eq!(copied(&elements, &all), Ok(vec![false, true, false]));
    all[0].address = all[2].address + 4;
    assert_eq!(copied(&elements, &all), Ok(vec![true, true, false]));
    let error = copied(&rows, &all).unwrap_err();
    assert!(error.starts_with("x and y overlap in memory"), "{error}");
}

#[test]
fn a_walk_needs_copies_only_of_what_the_call_overwrites() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, ALL),
        Argument::input("w", T, ALL),
        Argument::inout("y", T, ALL),
    ];
    let f = walking(ARGUMENTS);
    let mut all = arrays(&[&[3], &[2, 3], &[2, 3]]);
    all[1] = strided(&all[1], &[24, 8]);
    all[2] = strided(&all[2], &[4, 8]);
    assert_eq!(copied(&f, &all), Ok(vec![false, false, false]));
    all[0].address = all[2].address + 4;
    assert_eq!(copied(&f, &all), Ok(vec![true, false, false]));
    all[2] = strided(&all[2], &[0, 4]);
    let error = copied(&f, &all).unwrap_err();
    assert_eq!(
        error,
        "y is written, and its elements may overlap in memory; pass a C-contiguous copy"
    );
    all[2] = strided(&all[2], &[12, 4]);
    all[2].writable = false;
    let error = copied(&f, &all).unwrap_err();
    assert_eq!(error, "y is written to, but it is read-only");
}

#[test]
fn a_loop_takes_leading_dimensions_that_are_not_one() {
    const ARGUMENTS: &[Argument] = &[
        Argument::inout("x", T, SUFFIX).laid_out(Layout::Strided),
        Argument::input("w", T, shape(&[N])),
    ];
    let mut all = arrays(&[&[2, 2, 3], &[2, 2, 3]]);
    all[0] = strided(&all[0], &[12, 24, 4]);
    assert_eq!(copied(&looping(ARGUMENTS), &all), Ok(vec![false, false]));
    let error = copied(&looping(ARGUMENTS), &all[..1]).unwrap_err();
    assert!(
        error.contains("leading dimensions that are not one"),
        "{error}"
    );
}

#[test]
fn views_that_cannot_be_copied_are_refused_before_anything_runs() {
    const ARGUMENTS: &[Argument] = &[
        Argument::input("x", T, shape(&[N])),
        Argument::result("y", T, shape(&[N])),
    ];
    let x = strided(
        &array(4096, DType::F32, &[2; 9]),
        &[0, 4, 0, 4, 0, 4, 0, 4, 0],
    );
    let error = copied(&function(ARGUMENTS, None), &[x]).unwrap_err();
    assert!(error.starts_with("x has more than 8 dimensions"), "{error}");
}

#[test]
fn strides_are_multiples_of_the_size_of_a_struct() {
    const THREE_FLOATS: DType = DType::Struct(&Struct {
        name: "Triple",
        size: 12,
        alignment: 4,
        fields: &[],
    });
    const ARGUMENTS: &[Argument] =
        &[Argument::inout("x", Type::Fixed(THREE_FLOATS), shape(&[N])).laid_out(Layout::Strided)];
    let x = array(4096, THREE_FLOATS, &[3]);
    let f = function(ARGUMENTS, None);
    assert_eq!(copied(&f, &[strided(&x, &[24])]), Ok(vec![false]));
    let error = copied(&f, &[strided(&x, &[16])]).unwrap_err();
    assert!(
        error.starts_with("x has strides that are no multiples"),
        "{error}"
    );
}
