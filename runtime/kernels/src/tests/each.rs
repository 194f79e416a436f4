//! `each y[…] { … }`: each element of an array, by a thread or a warp.

use std::vec;
use std::vec::Vec;

use super::{Core, array, call, call_by, line, number, numbers};
use crate::grid::complex64;

mod product {
    use crate::prelude::*;

    kernel! {
        product<T: f32 | f64 | complex64>(a: &T[m, n], x: &T[n]) -> y: T[m]
        each y[i] by warp { warp.sum(a.row(i), x, |a, x| a * x) }
    }
}

mod add_product {
    use crate::prelude::*;

    kernel! {
        add_product(a: &f64[m, n], x: &f64[n], y: &mut f64[m], *, beta: f64 = 1.0)
        each y[i] by warp { beta * y + warp.sum_of(n, |j| a[[i, j]] * x[j]) }
    }
}

mod smooth {
    use crate::prelude::*;

    kernel! {
        /// In two steps, with memory between them.
        smooth(image: &f64[h, w], by: f64 = 0.5) -> smooth: f64[h, w]
        where by >= 0.0, by <= 1.0;
        scratch rows: f64[h, w];
        each rows[i, j] { near(by, j, w, |j| image[[i, j]]) }
        each smooth[i, j] { near(by, i, h, |i| rows[[i, j]]) }
    }

    fn near<T: Float>(by: T, center: usize, count: usize, at: impl Fn(usize) -> T) -> T {
        let around = at(center.saturating_sub(1)) + at((center + 1).min(count - 1));
        (T::of(1.0) - by) * at(center) + by * T::of(0.5) * around
    }
}

mod around {
    use crate::prelude::*;

    const FAR: usize = 3;

    kernel! {
        around<T: f32 | complex128>(x: &T[h, w], y: &T[h, w], *, far: usize = 3) -> sum: T[h, w]
        each sum[i, j] with x.edge(1), y.wrap(FAR) {
            let far = far as isize;
            x.near(-1, 0) + x.near(1, -1) + x.near(0, 0) + y.near(-far, far) + y.near(far, 1)
        }
    }
}

mod differences {
    use crate::prelude::*;

    kernel! {
        differences<T: i32 | f64>(x: &T[n]) -> d: T[n - 1]
        each d[i] { x[i + 1] - x[i] }
    }
}

#[test]
fn rows_of_every_length() {
    for (m, n) in [
        (0, 3),
        (3, 0),
        (1, 1),
        (5, 31),
        (33, 100),
        (100, 1001),
        (7, 40_000),
    ] {
        let mut a: Vec<f32> = numbers(m * n).iter().map(|&x| x as f32).collect();
        let mut x: Vec<f32> = numbers(n).iter().map(|&x| x as f32).collect();
        let mut y = vec![f32::NAN; m];
        call(
            &product::FUNCTION,
            &["float32"],
            &[array(&mut a, &[m, n]), line(&mut x), line(&mut y)],
        )
        .unwrap();
        for i in 0..m {
            let plain: f64 = (0..n)
                .map(|j| f64::from(a[i * n + j]) * f64::from(x[j]))
                .sum();
            assert!(
                (f64::from(y[i]) - plain).abs() <= 1e-5 * plain,
                "{m} x {n}: {} {plain}",
                y[i]
            );
        }
    }
}

#[test]
fn complex_rows() {
    let of = complex64::new;
    let (mut a, mut x, mut y) = (
        [of(1.0, 1.0), of(0.0, 2.0)],
        [of(1.0, 0.0), of(0.0, 1.0)],
        [of(0.0, 0.0)],
    );
    let given = [array(&mut a, &[1, 2]), line(&mut x), line(&mut y)];
    call(&product::FUNCTION, &["complex64"], &given).unwrap();
    drop(given);
    assert_eq!(y, [of(-1.0, 1.0)]);
}

#[test]
fn an_element_that_is_written_has_a_value_before() {
    let (mut a, mut x, mut y) = ([1.0, 2.0, 3.0, 4.0], [1.0, 10.0], [100.0, 200.0]);
    let mut beta = 0.5;
    let given = [
        array(&mut a, &[2, 2]),
        line(&mut x),
        line(&mut y),
        number(&mut beta),
    ];
    call(&add_product::FUNCTION, &[], &given).unwrap();
    drop(given);
    assert_eq!(y, [71.0, 143.0]);
}

#[test]
fn two_passes_with_scratch_memory() {
    for (h, w) in [(1, 1), (0, 4), (4, 0), (7, 5), (300, 301)] {
        let mut image = numbers(h * w);
        let (mut smooth, mut by) = (vec![f64::NAN; h * w], 0.5);
        let given = [
            array(&mut image, &[h, w]),
            number(&mut by),
            array(&mut smooth, &[h, w]),
        ];
        call(&smooth::FUNCTION, &[], &given).unwrap();
        drop(given);
        let weights = [0.25, 0.5, 0.25];
        let near = |at: usize, by: usize, end: usize| (at + by).saturating_sub(1).min(end - 1);
        for (at, &got) in smooth.iter().enumerate() {
            let mut sum = 0.0;
            for (di, wi) in weights.iter().enumerate() {
                for (dj, wj) in weights.iter().enumerate() {
                    sum += wi * wj * image[near(at / w, di, h) * w + near(at % w, dj, w)];
                }
            }
            assert!((got - sum).abs() < 1e-14, "{h} x {w}");
        }
    }
}

/// Returns the element, or its replacement beyond the edge.
fn element<T: Copy>(x: &[T], [h, w]: [usize; 2], [i, j]: [isize; 2], wraps: bool) -> T {
    let inside = |at: isize, end: usize| match wraps {
        true => at.rem_euclid(end as isize) as usize,
        false => at.clamp(0, end as isize - 1) as usize,
    };
    x[inside(i, h) * w + inside(j, w)]
}

#[test]
fn elements_that_are_near() {
    for (h, w) in [
        (0, 3),
        (3, 0),
        (1, 1),
        (1, 2),
        (2, 33),
        (31, 32),
        (33, 65),
        (300, 301),
    ] {
        let mut x: Vec<f32> = numbers(h * w).iter().map(|&x| x as f32).collect();
        let mut y: Vec<f32> = x.iter().map(|x| 1000.0 * x).collect();
        let (mut sum, mut far) = (vec![f32::NAN; h * w], 3_usize);
        let given = [
            array(&mut x, &[h, w]),
            array(&mut y, &[h, w]),
            number(&mut far),
            array(&mut sum, &[h, w]),
        ];
        call(&around::FUNCTION, &["float32"], &given).unwrap();
        drop(given);
        for (at, &got) in sum.iter().enumerate() {
            let (i, j) = ((at / w) as isize, (at % w) as isize);
            let x = |down, right| element(&x, [h, w], [i + down, j + right], false);
            let y = |down, right| element(&y, [h, w], [i + down, j + right], true);
            let want = x(-1, 0) + x(1, -1) + x(0, 0) + y(-3, 3) + y(3, 1);
            assert_eq!(got, want, "{h} x {w}");
        }
    }
}

#[test]
fn what_is_too_far_stops_the_kernel() {
    let (mut x, mut y, mut sum) = ([1.0_f32; 4], [1.0_f32; 4], [0.0_f32; 4]);
    let mut far = 4_usize;
    let given = [
        array(&mut x, &[2, 2]),
        array(&mut y, &[2, 2]),
        number(&mut far),
        array(&mut sum, &[2, 2]),
    ];
    let stopped = call(&around::FUNCTION, &["float32"], &given).unwrap_err();
    let expected = "kernels/each.rs:54: an element 4 away is not near: the declaration says 3";
    assert_eq!(stopped.message(), expected);
}

#[test]
fn extents_that_are_expressions() {
    let (mut x, mut d) = ([1, 4, 9], [0; 2]);
    call(
        &differences::FUNCTION,
        &["int32"],
        &[line(&mut x), line(&mut d)],
    )
    .unwrap();
    assert_eq!(d, [3, 5]);
}

#[test]
fn long_work_can_be_interrupted() {
    for n in [2000, 200_000] {
        let (mut x, mut d) = (vec![0; n], vec![0; n - 1]);
        let done = call_by(
            &mut Core::new(true),
            &differences::FUNCTION,
            &["int32"],
            &[line(&mut x), line(&mut d)],
        );
        assert_eq!(
            done.unwrap_err().status(),
            cuvec_spec::Status::Interrupted,
            "{n}"
        );
    }
}
