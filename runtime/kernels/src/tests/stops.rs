//! Errors of kernels, and misuse that declarations refuse.

use std::vec;

use cuvec_spec::Status;

use super::{call, line, number};

mod beyond {
    use crate::prelude::*;

    kernel! {
        beyond(x: &f64[n], by: usize) -> y: f64[n]
        where by < 1000;
        each y[i] { x[i + by] }
    }
}

mod divide {
    use crate::prelude::*;

    kernel! {
        divide(x: &i32[...], y: &mut i32[...]) { *y /= x }
    }
}

#[test]
fn elements_that_are_not_there() {
    for n in [3, 200_000] {
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        let stopped = call(
            &beyond::FUNCTION,
            &[],
            &[line(&mut x), number(&mut 1_usize), line(&mut y)],
        );
        let failure = stopped.unwrap_err();
        assert_eq!(failure.status(), Status::Runtime);
        let expected =
            std::format!("kernels/stops.rs:15: there is no element {n} in an array of {n}");
        assert_eq!(failure.message(), expected);
    }
}

#[test]
fn conditions_and_sizes() {
    let (mut x, mut y) = ([0.0; 3], [7.0; 3]);
    let refused = call(
        &beyond::FUNCTION,
        &[],
        &[line(&mut x), number(&mut 1000_usize), line(&mut y)],
    );
    let failure = refused.unwrap_err();
    assert_eq!(
        (failure.status(), failure.message()),
        (Status::Value, "beyond needs by < 1000")
    );
    let refused = call(
        &beyond::FUNCTION,
        &[],
        &[line(&mut x), number(&mut -2_i64), line(&mut y)],
    );
    let failure = refused.unwrap_err();
    assert_eq!(
        (failure.status(), failure.message()),
        (Status::Value, "by is a size and cannot be -2")
    );
    assert_eq!(y, [7.0; 3]);
}

#[test]
fn panics_of_rust() {
    let (mut x, mut y) = ([1, 0], [1, 1]);
    let stopped = call(&divide::FUNCTION, &[], &[line(&mut x), line(&mut y)]);
    let failure = stopped.unwrap_err();
    assert_eq!(failure.status(), Status::Runtime);
    assert_eq!(
        failure.message(),
        "kernels/stops.rs:23: attempt to divide by zero"
    );
}

mod decide {
    use crate::prelude::*;

    kernel! {
        decide(how: i32, y: &mut i32[n])
        host(call) {
            call.check_interrupt()?;
            call.parallel(n, |i| match (how, i) {
                (1, 7) => Err(Failure::new(Status::Memory, "too much")),
                (2, 7) => panic!("it went wrong"),
                _ => Ok(()),
            })
        }
        each y[i] { y + i as i32 }
    }
}

#[test]
fn what_the_host_does_first_can_end_the_call() {
    let mut y = [1; 10];
    let mut failure = |how: i32| {
        call(
            &decide::FUNCTION,
            &[],
            &[number(&mut { how }), line(&mut y)],
        )
        .err()
    };
    let of_memory = failure(1).unwrap();
    assert_eq!(
        (of_memory.status(), of_memory.message()),
        (Status::Memory, "decide(): too much")
    );
    let panic = failure(2).unwrap();
    assert_eq!(panic.status(), Status::Runtime);
    assert!(
        panic.message().ends_with(": it went wrong"),
        "{}",
        panic.message()
    );
    assert!(failure(0).is_none());
    assert_eq!(y, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}
