//! `{ … }`: for each element of arrays of one shape.

use std::vec;
use std::vec::Vec;

use cuvec_spec::c;

use super::{Core, LENGTHS, array, call, call_by, launched, line, number, numbers, spec};
use crate::grid::{complex128, f16};

mod grow {
    use crate::prelude::*;

    kernel! {
        grow<T: f32 | f64 | i32 | f16 | complex128>(a: T, x: &T[...], y: &mut T[...]) { *y += a * x }
    }
}

mod larger {
    use crate::prelude::*;

    kernel! {
        larger<T: f32 | i64>(x: &T[...], y: &T[...]) -> (larger: bool[...], most: T[...]) {
            *larger = x > y;
            *most = if x > y { x } else { y };
        }
    }
}

mod mixed {
    use crate::prelude::*;

    kernel! {
        mixed<T: f32 | f64, I: u8 | i64>(x: &T[n], i: &I[n], where_not: &bool[n]) -> y: f64[n] {
            if !where_not { *y = x as f64 * i as f64 }
        }
    }
}

mod fill {
    use crate::prelude::*;

    kernel! {
        fill<T: bool | u8 | complex64>(y: &out T[...], a: T)
        where y.len() < 5 => "y is too long";
        { *y = a }
    }
}

mod share {
    use crate::prelude::*;

    kernel! {
        share(x: &f64[n]) -> y: f64[n] { *y = x / n as f64 }
    }
}

/// Each second element of `x`, for both rows of `y`.
const WALK: c::Walk = c::Walk {
    rank: 2,
    packs: 0b10,
    counts: [3, 2, 0, 0, 0, 0, 0, 0],
    threads: 600,
    tiles: [300, 1],
    width: 0,
    height: 1,
    is_packed: 0,
};
const STRIDES: [[i64; 2]; 2] = [[16, 0], [8, 24]];

#[test]
fn a_walk_leads_to_elements_where_they_are() {
    let (mut x, mut y) = ([3.0, 0.0, 6.0, 0.0, 9.0], [0.0; 6]);
    let mut core = Core::new(false);
    core.row.walk = &WALK;
    let mut given = [line(&mut x), line(&mut y)];
    for (given, strides) in given.iter_mut().zip(&STRIDES) {
        given.value.strides = strides.as_ptr();
        (given.value.size, given.bytes) = (3, 24); // what `n` is, whatever the walk is through
    }
    call_by(&mut core, &share::FUNCTION, &[], &given).unwrap();
    assert_eq!(
        launched(&mut core, &share::FUNCTION, &given),
        [[[3, 1, 1], [256, 1, 1]]]
    );
    drop(given);
    assert_eq!(y, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
}

#[test]
fn walks_are_not_for_functions_that_check_whole_arrays() {
    let lanes = |function| spec(function).variants[0].lanes;
    assert_eq!(lanes(&share::FUNCTION), 2);
    assert_eq!(lanes(&grow::FUNCTION), 4);
    assert_eq!(lanes(&fill::FUNCTION), 0);
}

#[test]
fn arrays_that_are_written_alone() {
    let mut y = [7_u8, 8, 9];
    call(
        &fill::FUNCTION,
        &["uint8"],
        &[line(&mut y), number(&mut 3_u8)],
    )
    .unwrap();
    assert_eq!(y, [3; 3]);
    let refused = call(
        &fill::FUNCTION,
        &["uint8"],
        &[line(&mut [0_u8; 5]), number(&mut 3_u8)],
    );
    assert_eq!(refused.unwrap_err().message(), "fill(): y is too long");
    assert_eq!(
        super::spec(&fill::FUNCTION).arguments[0].role,
        cuvec_spec::Role::Out
    );
}

#[test]
fn every_length() {
    for n in LENGTHS {
        let mut x: Vec<f32> = numbers(n).iter().map(|&x| x as f32).collect();
        let mut y = vec![1.0_f32; n];
        call(
            &grow::FUNCTION,
            &["float32"],
            &[number(&mut 2.0_f32), line(&mut x), line(&mut y)],
        )
        .unwrap();
        assert!(x.iter().zip(&y).all(|(x, y)| *y == 1.0 + 2.0 * x), "{n}");
    }
}

#[test]
fn every_dtype() {
    let (mut x, mut y) = ([1, 2, 3], [10, 20, -30]);
    call(
        &grow::FUNCTION,
        &["int32"],
        &[number(&mut 2_i32), line(&mut x), line(&mut y)],
    )
    .unwrap();
    assert_eq!(y, [12, 24, -24]);

    let half = |x: f32| f16::from(x);
    let (mut x, mut y) = ([half(0.5), half(1e4)], [half(1.0), half(6e4)]);
    call(
        &grow::FUNCTION,
        &["float16"],
        &[number(&mut half(2.0)), line(&mut x), line(&mut y)],
    )
    .unwrap();
    assert!(y[0] == half(2.0) && y[1] == half(f32::INFINITY));

    let of = complex128::new;
    let (mut x, mut y) = ([of(1.0, 2.0)], [of(0.0, 0.5)]);
    call(
        &grow::FUNCTION,
        &["complex128"],
        &[number(&mut of(0.0, 1.0)), line(&mut x), line(&mut y)],
    )
    .unwrap();
    assert_eq!(y, [of(-2.0, 1.5)]);
}

#[test]
fn several_results() {
    let (mut x, mut y) = ([1_i64, 5, 3, 7], [2_i64, 4, 3, -7]);
    let (mut larger, mut most) = ([true; 4], [0_i64; 4]);
    let shape = &[2, 2];
    let given = [
        array(&mut x, shape),
        array(&mut y, shape),
        array(&mut larger, shape),
        array(&mut most, shape),
    ];
    call(&larger::FUNCTION, &["int64"], &given).unwrap();
    drop(given);
    assert_eq!((larger, most), ([false, true, false, true], [2, 5, 3, 7]));
}

#[test]
fn several_variables_and_any_byte_for_true() {
    let (mut x, mut i) = ([1.5_f32, 2.0, 3.0], [2_u8, 200, 7]);
    let (mut not, mut y) = ([0_u8, 0, 255], [9.0; 3]);
    let given = [line(&mut x), line(&mut i), line(&mut not), line(&mut y)];
    call(&mixed::FUNCTION, &["float32", "uint8"], &given).unwrap();
    drop(given);
    assert_eq!(y, [3.0, 400.0, 0.0]);
}
