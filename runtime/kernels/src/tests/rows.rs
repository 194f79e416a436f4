//! `each (y[row, ..], mean[row]) by block { … }`: rows of several arrays, by a warp or a block.

use std::vec;
use std::vec::Vec;

use super::{LENGTHS, array, call, launches, line, number, numbers};
use crate::grid::{Loaded, Packs, SharedRows};

mod centered {
    use crate::prelude::*;

    kernel! {
        centered<T: f32 | f64>(x: &T[m, n]) -> (y: T[m, n], mean: T[m], squares: T[m, n])
        each (y[row, ..], mean[row], squares[row, ..]) by warp {
            let mean = warp.sum_of(n, |i| x[[row, i]]) / T::of(n as f64);
            let element = move |i| x[[row, i]] - mean;
            (element, mean, move |i| element(i) * element(i))
        }
    }
}

mod shares {
    use crate::prelude::*;

    kernel! {
        shares(x: &f64[n]) -> (y: f64[n], total: f64)
        each (y[..], total[]) by block {
            let total = block.sum_of(n, |i| x[i]);
            (move |i| x[i] / total, total)
        }
    }
}

mod running {
    use crate::prelude::*;

    kernel! {
        running(x: &i64[m, n]) -> (sum: i64[m, n], most: i64[m, n])
        each sum[row, ..] by block { block.scan(0, move |i| x[[row, i]], |a, b| a + b) }
        each most[row, ..] by warp { warp.scan(i64::LOWEST, move |i| x[[row, i]], i64::larger) }
    }
}

mod scaled {
    use crate::prelude::*;

    kernel! {
        scaled(x: &f32[m, n], weight: &f32[n], scale: &f32[m]) -> (y: f32[m, n], mean: f32[m])
        each (y[row, ..], mean[row]) by block {
            let mean = block.sum_of(n, |i| x[[row, i]]) / n as f32;
            (move |i| x[[row, i]] * weight[i] * scale[row], mean)
        }
    }
}

mod differing {
    use crate::prelude::*;

    kernel! {
        differing(x: &f64[m, n]) -> (y: f64[m, n], z: f64[m + 1])
        each (y[row, ..], z[row]) by block { (move |i| x[[row, i]], 0.0) }
    }
}

mod updated {
    use crate::prelude::*;

    kernel! {
        updated(x: &mut f64[m, n], sum: &mut f64[m, n]) -> (y: f64[m, n], largest: f64[m])
        each (x[row, ..], sum[row, ..], y[row, ..], largest[row]) by block {
            let (largest, first) = (block.max_of(n, |i| x[i] + sum[i]), x[0]);
            (
                x.write(move |_, (x, sum, _, _)| sum - x * first),
                sum.write(move |_, (x, sum, _, _)| x + sum),
                y.write(move |i, (x, _, _, _)| x * i as f64),
                largest,
            )
        }
        each y[row, ..] by warp { y.scan(0.0, |_, y| y, |a, b| a + b) }
    }
}

#[test]
fn previous_elements() {
    for (m, n) in [(0, 3), (1, 1), (5, 31), (33, 100), (3, 1001)] {
        let (mut x, mut sum) = (numbers(m * n), numbers(m * n + 7).split_off(7));
        let before = (x.clone(), sum.clone());
        let (mut y, mut largest) = (vec![f64::NAN; m * n], vec![f64::NAN; m]);
        let given = [
            array(&mut x, &[m, n]),
            array(&mut sum, &[m, n]),
            array(&mut y, &[m, n]),
            line(&mut largest),
        ];
        call(&updated::FUNCTION, &[], &given).unwrap();
        for (row, largest) in largest.into_iter().enumerate() {
            let (mut most, mut total) = (f64::MIN, 0.0);
            for i in 0..n {
                let at = row * n + i;
                let (x_before, sum_before) = (before.0[at], before.1[at]);
                most = most.max(x_before + sum_before);
                total += x_before * i as f64;
                assert_eq!(x[at], sum_before - x_before * before.0[row * n]);
                assert_eq!(sum[at], x_before + sum_before);
                assert_eq!(y[at], total);
            }
            assert_eq!(largest, most, "{m} x {n}");
        }
    }
}

#[test]
fn rows_of_every_length() {
    for (m, n) in [(0, 3), (3, 0), (1, 1), (5, 31), (33, 100), (100, 1001)] {
        let mut x = numbers(m * n);
        let (mut y, mut squares) = (vec![f64::NAN; m * n], vec![f64::NAN; m * n]);
        let mut mean = vec![f64::NAN; m];
        let given = [
            array(&mut x, &[m, n]),
            array(&mut y, &[m, n]),
            line(&mut mean),
            array(&mut squares, &[m, n]),
        ];
        call(&centered::FUNCTION, &["float64"], &given).unwrap();
        for (row, mean) in mean.into_iter().enumerate() {
            let of_row = row * n..(row + 1) * n;
            let plain = x[of_row.clone()].iter().sum::<f64>() / n as f64;
            assert!(n == 0 || (mean - plain).abs() < 1e-12, "{m} x {n}");
            for at in of_row {
                assert_eq!(y[at], x[at] - mean);
                assert_eq!(squares[at], y[at] * y[at]);
            }
        }
    }
}

#[test]
fn one_row() {
    for n in LENGTHS {
        let (mut x, mut y, mut total) = (numbers(n), vec![f64::NAN; n], f64::NAN);
        let given = [line(&mut x), line(&mut y), number(&mut total)];
        call(&shares::FUNCTION, &[], &given).unwrap();
        let plain: f64 = x.iter().sum();
        assert!((total - plain).abs() <= 1e-12 * plain, "{n}");
        let expected: Vec<f64> = x.iter().map(|x| x / total).collect();
        assert!(n == 1 || y == expected, "{n}"); // one is 0 / 0
    }
}

#[test]
fn what_comes_up_to_each_element() {
    for (m, n) in [(0, 3), (3, 0), (1, 1), (5, 31), (33, 100), (3, 70_001)] {
        let mut x: Vec<i64> = (0..m * n).map(|i| (i * 7919 % 1009) as i64).collect();
        let (mut sum, mut most) = (vec![-1; m * n], vec![-1; m * n]);
        let shape = &[m, n];
        let given = [
            array(&mut x, shape),
            array(&mut sum, shape),
            array(&mut most, shape),
        ];
        call(&running::FUNCTION, &[], &given).unwrap();
        for row in 0..m {
            let (mut total, mut largest) = (0, i64::MIN);
            for at in row * n..(row + 1) * n {
                (total, largest) = (total + x[at], largest.max(x[at]));
                assert_eq!((sum[at], most[at]), (total, largest), "{m} x {n}");
            }
        }
    }
}

#[test]
fn arrays_with_other_numbers_of_rows_stop_it() {
    let (mut x, mut y, mut z) = (numbers(6), vec![f64::NAN; 6], vec![f64::NAN; 3]);
    let given = [array(&mut x, &[2, 3]), array(&mut y, &[2, 3]), line(&mut z)];
    let failure = call(&differing::FUNCTION, &[], &given).unwrap_err();
    assert!(failure.message().contains("2"), "{}", failure.message());
}

#[test]
fn threads_are_as_few_as_keep_a_row() {
    let of = |sizes: &[usize], row, read, are_packed| {
        let packs = Packs::of(sizes);
        let share = row;
        SharedRows {
            row,
            share,
            read,
            packs,
            are_packed,
        }
        .launch()
    };
    let floats = |row| of(&[4, 4], row, row, true);
    assert_eq!(floats(128), (Loaded::ShortKept, [8, 32]));
    assert_eq!(floats(100), (Loaded::ShortKept, [8, 32]));
    assert_eq!(floats(256), (Loaded::ShortKept, [16, 16]));
    assert_eq!(floats(260), (Loaded::PacksKept, [32, 1]));
    assert_eq!(floats(1024), (Loaded::PacksKept, [64, 1]));
    assert_eq!(floats(8192), (Loaded::PacksKept, [512, 1]));
    assert_eq!(floats(8196), (Loaded::LongKept, [288, 1]));
    assert_eq!(floats(16384), (Loaded::LongKept, [512, 1]));
    assert_eq!(floats(16388), (Loaded::LongKept, [544, 1]));
    assert_eq!(floats(32768), (Loaded::LongKept, [1024, 1]));
    assert_eq!(floats(32772), (Loaded::InPacks, [1024, 1]));
    assert_eq!(floats(0), (Loaded::Singly, [256, 1]));
    // A row that is no multiple of a pack, and one of an array that begins elsewhere.
    assert_eq!(floats(5), (Loaded::Singly, [32, 8]));
    assert_eq!(floats(511), (Loaded::Singly, [128, 1]));
    assert_eq!(floats(5003), (Loaded::SinglesKept, [320, 1]));
    assert_eq!(floats(16383), (Loaded::SinglesKept, [1024, 1]));
    assert_eq!(floats(16385), (Loaded::Singly, [512, 1]));
    assert_eq!(of(&[4, 4], 1024, 1024, false).0, Loaded::SinglesKept);
    // A long row may be read for each element of a short one.
    assert_eq!(of(&[4, 4], 8, 4096, true), (Loaded::PacksKept, [32, 1]));
    // More arrays take more registers.
    assert_eq!(of(&[4; 5], 8192, 8192, true), (Loaded::PacksKept, [256, 1]));
    assert_eq!(of(&[4; 5], 16388, 16388, true).0, Loaded::InPacks);
}

#[test]
fn short_rows_share_a_warp() {
    let (m, n) = (1000, 128);
    let (mut x, mut y) = (vec![1.0_f32; m * n], vec![1.0_f32; m * n]);
    let (mut weight, mut scale, mut mean) = (vec![1.0_f32; n], vec![1.0_f32; m], vec![1.0_f32; m]);
    let given = [
        array(&mut x, &[m, n]),
        line(&mut weight),
        line(&mut scale),
        array(&mut y, &[m, n]),
        line(&mut mean),
    ];
    assert_eq!(
        launches(&scaled::FUNCTION, &given),
        [[[32, 1, 1], [8, 32, 1]]]
    );
}
