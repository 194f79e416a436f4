//! `block over x { … }`: blocks whose threads share memory, and add to results.

use std::vec;

use super::{LENGTHS, call, line, number, numbers};

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
        "vast needs 80000 bytes of shared memory for a block, which has 47104"
    );
}
