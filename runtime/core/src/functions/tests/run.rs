//! Bodies get what they were declared with, and their failures are told.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::error::Kind;
use crate::functions::ScalarResult;

const ARGUMENTS: &[Argument] = &[
    Argument::scalar("a", T),
    Argument::input("x", T, shape(&[M, N])),
    Argument::result("y", T, shape(&[M, N])),
    Argument::result("", COUNT, shape(&[])).as_number(),
];

/// Runs it on the CPU for `x` of ones, into `y`.
fn run(function: &Function, y: &mut [f32; 6]) -> Result<Box<[ScalarResult]>> {
    let x = [1.0_f32; 6];
    let at = |address: *const f32| array(address as usize, DType::F32, &[2, 3]);
    let xy = [at(x.as_ptr()), at(y.as_mut_ptr())];
    let arrays = given(1, &xy);
    let mut scalars = no_scalars();
    scalars[0] = Scalar::real(2.5, DType::F32).unwrap();
    let mut dtypes = Dtypes::default();
    function.dtypes(&arrays, &mut dtypes)?;
    let plan = function.plan(&arrays, &scalars, dtypes)?;
    assert!(plan.pending.is_empty());
    let mut numbers = plan.scalar_results(&arrays);
    plan.run_on_cpu(&arrays, &scalars, &mut numbers)?;
    Ok(numbers)
}

/// `a * x` into `y`, and the elements of `x` as a number.
unsafe extern "C" fn scaling(_: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: as declared below.
    unsafe {
        let [a, x, y, number] = *values.cast::<[Value; 4]>();
        let factor: f32 = a.scalar();
        assert_eq!(x.extents(2), [2, 3]);
        assert!(x.strides.is_null());
        for index in 0..x.size as usize {
            *y.data.cast::<f32>().add(index) = factor * *x.data.cast::<f32>().add(index);
        }
        *number.data.cast::<i32>() = x.size as i32;
    }
    0
}

/// Fails, with what the core provides in use.
unsafe extern "C" fn failing(call: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: as declared; the core's functions are called with their call.
    unsafe {
        let values = std::slice::from_raw_parts(values, 4);
        let x: f32 = *values[1].data.cast();
        assert_eq!(x, 1.0);
        assert!(!((*call).scratch)(call, 1 << 20).is_null());
        assert_eq!(((*call).interrupted)(call), 0);
        assert!(((*call).scratch)(call, isize::MAX as usize).is_null());
        let message = c"said by the body";
        (&raw mut (*call).error)
            .cast::<u8>()
            .copy_from(message.as_ptr().cast(), CStr::count_bytes(message) + 1);
    }
    2
}

unsafe extern "C" fn counting(call: *mut c::Call, values: *const Value) -> c_int {
    unsafe extern "C" fn task(context: *mut std::ffi::c_void, _: i64) {
        // SAFETY: the number below.
        let count = unsafe { &*context.cast::<AtomicUsize>() };
        count.fetch_add(1, Ordering::Relaxed);
    }
    let count = AtomicUsize::new(0);
    // SAFETY: the core's call, and a number that outlives it.
    unsafe {
        let context = (&raw const count).cast_mut().cast();
        assert_eq!(((*call).parallel)(call, 1000, task, context), 0);
        *(*values.add(3)).data.cast::<i32>() = count.into_inner() as i32;
    }
    0
}

#[test]
fn a_body_gets_its_values() {
    let mut y = [0.0; 6];
    let numbers = run(&with_body(ARGUMENTS, None, scaling), &mut y).unwrap();
    assert_eq!(y, [2.5; 6]);
    assert_eq!(numbers.len(), 1);
    assert_eq!(numbers[0].argument, 3);
    assert_eq!(numbers[0].value.as_integer(numbers[0].dtype), 6);
}

#[test]
fn a_body_has_threads() {
    let numbers = run(&with_body(ARGUMENTS, None, counting), &mut [0.0; 6]).unwrap();
    assert_eq!(numbers[0].value.as_integer(DType::I32), 1000);
}

#[test]
fn a_body_says_what_has_failed() {
    let error = run(&with_body(ARGUMENTS, None, failing), &mut [0.0; 6]).unwrap_err();
    assert_eq!(error, Kind::Value("said by the body".to_owned()).into());
}

/// x: T(n), y: out T(n)?, z: inout T(n)?
const WRITES_WHAT_IS_GIVEN: &[Argument] = &[
    Argument::input("x", T, shape(&[N])),
    Argument::output("y", T, shape(&[N])).optional(),
    Argument::inout("z", T, shape(&[N])).optional(),
];

#[test]
fn a_body_finds_a_number_although_its_arrays_are_empty() {
    unsafe extern "C" fn seven(_: *mut c::Call, values: *const Value) -> c_int {
        // SAFETY: as declared: the last is the number.
        unsafe { *(*values.add(3)).data.cast::<i32>() = 7 };
        0
    }
    let function = with_body(ARGUMENTS, None, seven);
    let empty = arrays(&[&[0, 3], &[0, 3]]);
    let arrays = given(1, &empty);
    let mut dtypes = Dtypes::default();
    function.dtypes(&arrays, &mut dtypes).unwrap();
    let plan = function.plan(&arrays, &no_scalars(), dtypes).unwrap();
    let numbers = plan.run(&arrays, &no_scalars(), None).unwrap();
    assert_eq!(numbers[0].value.as_integer(DType::I32), 7);
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn noting(_: *mut c::Call, _: *const Value) -> c_int {
    RUNS.fetch_add(1, Ordering::Relaxed);
    0
}

#[test]
fn a_body_is_skipped_if_all_that_is_written_is_empty_but_not_if_it_is_none() {
    let function = with_body(WRITES_WHAT_IS_GIVEN, None, noting);
    for (shape, given_too, runs) in [
        (&[3_usize], &[][..], 1),
        (&[0], &[][..], 1),
        (&[0], &[1], 0),
        (&[0], &[1, 2], 0),
        (&[3], &[2], 1),
    ] {
        let all = arrays(&[shape, shape, shape]);
        let mut arrays = given(0, &all[..1]);
        for &index in given_too {
            arrays[index] = Some(&all[index]);
        }
        let mut dtypes = Dtypes::default();
        function.dtypes(&arrays, &mut dtypes).unwrap();
        let before = RUNS.load(Ordering::Relaxed);
        let plan = function.plan(&arrays, &no_scalars(), dtypes).unwrap();
        plan.run(&arrays, &no_scalars(), None).unwrap();
        assert_eq!(RUNS.load(Ordering::Relaxed) - before, runs, "{given_too:?}");
    }
}
