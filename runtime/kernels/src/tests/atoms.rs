//! Elements that the threads of `block over x { … }` change at once, of each dtype, on the CPU.

use std::string::String;
use std::vec;
use std::vec::Vec;

use cuvec_spec::Status;

use super::{array, call, line, number};
use crate::grid::{Complex, Element, bf16, f8e4m3, f8e5m2, f16};

/// Two threads of the CPU add up this many.
const N: usize = 200_000;

mod sums {
    use crate::prelude::*;

    kernel! {
        sums<T: i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f8e4m3 | f8e5m2 | f16 | bf16 | f32 | f64 | complex64 | complex128>(
            x: &T[n]
        ) -> (all: T[3], shared_all: T[3])
        shared mine: T[3];
        block over x {
            block.each_index(n, |i| {
                all.add(i % 3, x[i]);
                mine.add(i % 3, x[i]);
            });
            block.wait();
            mine.each(block, |at, sum| shared_all.add(at, sum));
        }
    }
}

/// Ones and zeros: every `step`th is a one, and so are as many of each third.
fn add<T: Element + PartialEq + core::fmt::Debug>(
    dtype: &str,
    zero: T,
    one: T,
    step: usize,
    sum: T,
) {
    let mut x: Vec<T> = (0..N)
        .map(|i| if i / 3 % step == 0 { one } else { zero })
        .collect();
    x.truncate(N / (3 * step) * (3 * step));
    let (mut all, mut shared) = (vec![one; 3], vec![one; 3]); // results start as zeros
    let given = [line(&mut x), line(&mut all), line(&mut shared)];
    call(&sums::FUNCTION, &[dtype], &given).unwrap();
    drop(given);
    assert_eq!(all, [sum; 3], "{dtype}");
    assert_eq!(shared, [sum; 3], "{dtype}, in shared memory");
}

#[test]
fn nothing_that_is_added_is_lost() {
    add("int8", 0_i8, 1, 1000, 66);
    add("uint8", 0_u8, 1, 1000, 66);
    add("int16", 0_i16, 1, 10, 6666);
    add("uint16", 0_u16, 1, 10, 6666);
    add("int32", 0_i32, 1, 1, 66_666);
    add("uint32", 0_u32, 1, 1, 66_666);
    add("int64", 0_i64, 1, 1, 66_666);
    add("uint64", 0_u64, 1, 1, 66_666);
    add("float32", 0_f32, 1.0, 1, 66_666.0);
    add("float64", 0_f64, 1.0, 1, 66_666.0);
    macro_rules! small {
        ($($dtype:literal $float:ident $step:literal $sum:literal;)*) => {
            $(add($dtype, $float::from(0.0), $float::from(1.0), $step, $float::from($sum));)*
        };
    }
    // As many as a float has all whole numbers up to.
    small! {
        "float16" f16 100 666.0;
        "bfloat16" bf16 1000 66.0;
        "float8_e4m3fn" f8e4m3 5000 13.0;
        "float8_e5m2" f8e5m2 10_000 6.0;
    }
    let (one, sum) = (
        Complex::new(1_f32, -2.0),
        Complex::new(66_666.0, -133_332.0),
    );
    add("complex64", Complex::default(), one, 1, sum);
    let (one, sum) = (
        Complex::new(1_f64, -2.0),
        Complex::new(66_666.0, -133_332.0),
    );
    add("complex128", Complex::default(), one, 1, sum);
}

#[test]
fn sums_of_integers_overflow() {
    let mut x = [i8::MAX, i8::MAX, i8::MAX, 1, 0, 2];
    let (mut all, mut shared) = (vec![0_i8; 3], vec![0_i8; 3]);
    let given = [line(&mut x), line(&mut all), line(&mut shared)];
    call(&sums::FUNCTION, &["int8"], &given).unwrap();
    drop(given);
    assert_eq!(all, [i8::MIN, i8::MAX, i8::MIN + 1]);
    assert_eq!(shared, all);
}

mod changes {
    use crate::prelude::*;

    kernel! {
        changes<T: i8 | u8 | i16 | u16 | f8e4m3 | f8e5m2 | f16 | bf16 | f32>(x: &T[n], one: T) ->
            (low: T[2], high: T[2], last: T[2], is_first: T[2], first: i64[2])
        block over x {
            block.each_index(n, |i| {
                low.min(1, x[i]);
                high.max(1, x[i]);
                last.exchange(1, x[i]);
                if is_first.cas(1, T::default(), one) == T::default() { first.add(1, i as i64 + 1) }
            });
        }
    }
}

/// Tests with the smallest and the largest of `x`; zero, from which they start, is between them.
fn change<T: Element + PartialEq + core::fmt::Debug>(
    dtype: &str,
    mut x: Vec<T>,
    mut one: T,
    low: T,
    high: T,
) {
    let zero = T::default();
    let (mut lows, mut highs, mut lasts, mut firsts) = ([one; 2], [one; 2], [one; 2], [one; 2]);
    let mut first = [-1_i64; 2];
    let given = [
        line(&mut x),
        number(&mut one),
        line(&mut lows),
        line(&mut highs),
        line(&mut lasts),
        line(&mut firsts),
        line(&mut first),
    ];
    call(&changes::FUNCTION, &[dtype], &given).unwrap();
    drop(given);
    assert_eq!((lows, highs), ([zero, low], [zero, high]), "{dtype}");
    assert!(lasts[0] == zero && x.contains(&lasts[1]), "{dtype}");
    assert_eq!(firsts, [zero, one], "{dtype}");
    assert!(
        first[0] == 0 && (1..=x.len() as i64).contains(&first[1]),
        "{dtype}"
    );
}

#[test]
fn the_smallest_and_the_largest_remain() {
    let some = |i: usize| (i % 101) as i8 - 50;
    change("int8", (0..N).map(some).collect(), 1, -50, 50);
    let wide = |i| i16::from(some(i)) * 600;
    change("int16", (0..N).map(wide).collect(), 1, -30_000, 30_000);
    change("uint8", (0..N).map(|i| i as u8).collect(), 1, 0, 255);
    let all = (0..N).map(|i| i as u16).collect();
    change("uint16", all, 1, 0, u16::MAX);
    macro_rules! floats {
        ($($dtype:literal $float:ident;)*) => {
            $(
                let of = |x: i8| $float::from(f32::from(x));
                let x = (0..N).map(|i| of(some(i) / 8)).collect();
                change($dtype, x, of(1), of(-6), of(6));
            )*
        };
    }
    floats! { "float8_e4m3fn" f8e4m3; "float8_e5m2" f8e5m2; "float16" f16; "bfloat16" bf16; "float32" f32; }
}

#[test]
fn what_is_not_a_number_remains() {
    macro_rules! floats {
        ($($dtype:literal $float:ident;)*) => {
            $(
                let mut x: Vec<$float> = [1.0, f32::NAN, -1.0].map($float::from).into();
                let mut one = $float::from(1.0);
                let (mut low, mut high, mut last) = ([one; 2], [one; 2], [one; 2]);
                let (mut is_first, mut first) = ([one; 2], [0_i64; 2]);
                let given = [
                    line(&mut x), number(&mut one), line(&mut low), line(&mut high), line(&mut last),
                    line(&mut is_first), line(&mut first),
                ];
                call(&changes::FUNCTION, &[$dtype], &given).unwrap();
                drop(given);
                assert!([low[1], high[1]].iter().all(|&it| f32::from(it).is_nan()), $dtype);
            )*
        };
    }
    floats! { "float8_e4m3fn" f8e4m3; "float8_e5m2" f8e5m2; "float16" f16; "bfloat16" bf16; "float32" f32; }
}

mod cells {
    use crate::prelude::*;

    kernel! {
        cells(row: &i64[n], column: &i64[n], how: i32, y: &mut i32[a, b])
        block over row {
            block.each_index(n, |i| {
                let at = [row[i] as usize, column[i] as usize];
                match how {
                    0 => y.add(at, 5),
                    1 => y.min(at, -5),
                    2 => y.max(at, 5),
                    3 => y.or(at, 5),
                    4 => y.and(at, 5),
                    5 => _ = y.exchange(at, 5),
                    6 => _ = y.cas(at, 2, 5),
                    _ => _ = y.get(at),
                }
            });
        }
    }
}

/// Elements of an array of 3 by 4, all 2 at first, after operation `how` on one of them.
fn cells(how: i32, at: [i64; 2]) -> Result<[i32; 12], String> {
    let ([mut row, mut column], mut how, mut y) = (at.map(|it| [it]), how, [2; 12]);
    let given = [
        line(&mut row),
        line(&mut column),
        number(&mut how),
        array(&mut y, &[3, 4]),
    ];
    let done = call(&cells::FUNCTION, &[], &given);
    drop(given);
    match done {
        Ok(()) => Ok(y),
        Err(failure) => {
            assert_eq!((failure.status(), y), (Status::Runtime, [2; 12]));
            Err(failure.message().into())
        }
    }
}

#[test]
fn an_index_of_two_dimensions_is_a_row_and_a_column() {
    for (how, value) in [7, -5, 5, 7, 0, 5, 5].into_iter().enumerate() {
        let mut expected = [2; 12];
        expected[6] = value;
        assert_eq!(cells(how as i32, [1, 2]), Ok(expected), "{how}");
    }
}

#[test]
fn each_dimension_of_an_index_is_checked() {
    for how in 0..8 {
        for (at, index, extent) in [([1, 4], 4, 4), ([3, 0], 3, 3), ([2, -1], -1, 4)] {
            let said = cells(how, at).unwrap_err();
            let expected = std::format!("there is no element {index} in an array of {extent}");
            assert!(said.ends_with(&expected), "{how}: {said}");
        }
    }
}
