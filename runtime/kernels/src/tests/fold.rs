//! `fold (…) { … }`: one number of all elements.

use std::vec;
use std::vec::Vec;

use super::{LENGTHS, call, line, number, numbers};

mod inner {
    use crate::prelude::*;

    kernel! {
        inner<T: f32 | f64>(x: &T[...], y: &T[...]) -> f64
        fold (x, y) {
            start: Sum::<T>::ZERO,
            add: |sum, x, y| sum.plus_product(x, y),
            merge: Sum::plus,
            value: Sum::value,
        }
    }
}

mod least {
    use crate::prelude::*;

    kernel! {
        least(x: &i32[...]) -> least: i32
        fold (x) {
            start: i32::MAX,
            add: |least, x| i32::min(least, x),
            merge: |a, b| i32::min(a, b),
            value: |least| least,
        }
    }
}

fn inner(x: &mut [f64], y: &mut [f64]) -> f64 {
    let mut sum = f64::NAN;
    call(
        &inner::FUNCTION,
        &["float64"],
        &[line(x), line(y), number(&mut sum)],
    )
    .unwrap();
    sum
}

#[test]
fn every_length() {
    for n in LENGTHS.into_iter().chain([5_000_000]) {
        let mut x = numbers(n);
        let mut y: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
        let plain: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        assert!(
            (inner(&mut x, &mut y) - plain).abs() <= 1e-10 * plain,
            "{n}"
        );

        let mut x: Vec<i32> = (0..n as i32).map(|i| i % 1009 - 500).collect();
        let (expected, mut least) = (x.iter().copied().min().unwrap_or(i32::MAX), 0);
        call(&least::FUNCTION, &[], &[line(&mut x), number(&mut least)]).unwrap();
        assert_eq!(least, expected, "{n}");
    }
}

#[test]
fn exact_where_every_partial_sum_is() {
    for n in LENGTHS {
        let mut x: Vec<f32> = (0..n).map(|i| (i % 16) as f32).collect();
        let (mut y, mut sum) = (x.clone(), f64::NAN);
        call(
            &inner::FUNCTION,
            &["float32"],
            &[line(&mut x), line(&mut y), number(&mut sum)],
        )
        .unwrap();
        let expected: u64 = (0..n).map(|i| (i as u64 % 16).pow(2)).sum();
        assert_eq!(sum, expected as f64, "{n}");
    }
}

#[test]
fn sums_are_carried_in_twice_the_precision() {
    let big = 1e17;
    let mut x = [big, 1.0, 3.0, -big, 1.0 + f64::EPSILON, 1.0 + f64::EPSILON];
    let mut y = [1.0, 5.0, -1.0, 1.0, 1.0 - f64::EPSILON, -1.0 + f64::EPSILON];
    assert_eq!(inner(&mut x, &mut y), 2.0);
    // What is lost in float64 comes back after millions of other terms.
    let mut x = vec![1.0; 3_000_000];
    (x[0], x[2_999_999]) = (1e17, -1e17);
    let mut y = vec![1.0; 3_000_000];
    assert_eq!(inner(&mut x, &mut y), 2_999_998.0);
    let mut x = vec![0.1; 1 << 20];
    let mut y = x.clone();
    assert!((inner(&mut x, &mut y) / (0.1 * 0.1 * (1 << 20) as f64) - 1.0).abs() < 1e-15);
}

#[test]
fn equal_input_gives_equal_bits() {
    for n in [1000, 200_003] {
        let (mut x, mut y) = (numbers(n), numbers(n));
        let first = inner(&mut x, &mut y).to_bits();
        assert!((0..5).all(|_| inner(&mut x, &mut y).to_bits() == first));
    }
}
