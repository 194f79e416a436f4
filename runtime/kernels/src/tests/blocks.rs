//! Work of blocks: `fold (…) { … }`, one number of all elements, and `block over x { … }`, whose
//! threads share memory and add to results.

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
    // A term that float64 loses comes back after millions of others.
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

mod count {
    use crate::prelude::*;

    kernel! {
        count<T: f32 | f64>(x: &T[...], bins: usize = 10) -> (counts: i64[bins], sums: f64[bins])
        where bins > 0;
        shared local: u32[bins.min(100)], local_sums: f64[bins.min(100)];
        block over x {
            block.each_of(x, |x| {
                let bin = ((x * bins as T) as usize).min(bins - 1);
                if bin < local.len() {
                    local.add(bin, 1);
                    local_sums.add(bin, x.into());
                } else {
                    counts.add(bin, 1);
                    sums.add(bin, x.into());
                }
            });
            block.wait();
            local.each(block, |bin, count| counts.add(bin, count.into()));
            local_sums.each(block, |bin, sum| sums.add(bin, sum));
        }
    }
}

mod vast {
    use crate::prelude::*;

    kernel! {
        vast(x: &f64[...], n: usize) -> y: i64[3]
        shared local: u32[n];
        block over x { y.add(0, local.len() as i64) }
    }
}

#[test]
fn every_length_in_few_bins_and_many() {
    for n in LENGTHS {
        for mut bins in [1, 10, 777] {
            let (mut x, mut counts, mut sums) =
                (numbers(n), vec![-1_i64; bins], vec![f64::NAN; bins]);
            let given = [
                line(&mut x),
                number(&mut bins),
                line(&mut counts),
                line(&mut sums),
            ];
            call(&count::FUNCTION, &["float64"], &given).unwrap();
            drop(given);
            let (mut expected, mut expected_sums) = (vec![0; bins], vec![0.0; bins]);
            for x in x {
                let bin = ((x * bins as f64) as usize).min(bins - 1);
                expected[bin] += 1;
                expected_sums[bin] += x;
            }
            assert_eq!(counts, expected, "{n} in {bins}");
            assert!(
                sums.iter()
                    .zip(expected_sums)
                    .all(|(a, b)| (a - b).abs() <= 1e-9 * b)
            );
        }
    }
}

#[test]
fn more_shared_memory_than_a_block_has_is_refused() {
    let (mut x, mut y) = ([1.0], [0_i64; 3]);
    let refused = call(
        &vast::FUNCTION,
        &[],
        &[line(&mut x), number(&mut 20_000_usize), line(&mut y)],
    );
    let failure = refused.unwrap_err();
    assert_eq!(
        failure.message(),
        "vast needs 80000 bytes of shared memory for a block, which has 46976"
    );
}
