//! Bodies get what they were declared with, and their failures are told.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

use declared::{Call, Status, c};

use super::*;
use crate::error::{Error, Kind};
use crate::functions::Number;

/// A sum of two arrays, and a number: `a + x.len()`.
unsafe fn body(call: &mut dyn Call, values: &[Value]) -> std::result::Result<(), Failure> {
    let [a, x, y, number] = values else {
        panic!("{values:?}")
    };
    // SAFETY: as declared below; the scratch memory is as long.
    unsafe {
        let scratch = call.scratch(64)?.cast::<u64>();
        scratch.write(x.size as u64);
        let factor: f32 = a.scalar();
        assert_eq!(x.extents(2), [2, 3]);
        for index in 0..x.size as usize {
            *y.data.cast::<f32>().add(index) = factor * *x.data.cast::<f32>().add(index);
        }
        *number.data.cast::<i32>() = scratch.read() as i32;
    }
    let sum = AtomicUsize::new(0);
    call.parallel(100, &|index| {
        sum.fetch_add(index, Ordering::Relaxed);
    })?;
    assert_eq!(sum.into_inner(), 4950);
    Ok(())
}

const ARGUMENTS: &[Argument] = &[
    Argument::scalar("a", T),
    Argument::input("x", T, shape(&[M, N])),
    Argument::result("y", T, shape(&[M, N])),
    Argument::result("", COUNT, shape(&[])).as_number(),
];

/// Runs it on the CPU for `x` of ones, into `y`.
fn run(function: &Function, y: &mut [f32; 6]) -> Result<Box<[Number]>> {
    let x = [1.0_f32; 6];
    let at = |address: *const f32| array(address as usize, DType::F32, &[2, 3]);
    let xy = [at(x.as_ptr()), at(y.as_mut_ptr())];
    let arrays = given(1, &xy);
    let mut scalars = no_scalars();
    scalars[0] = Scalar::real(2.5, DType::F32).unwrap();
    let mut dtypes = Dtypes::default();
    function.dtypes(&arrays, &mut dtypes)?;
    let plan = function.plan(&arrays, &scalars, dtypes)?;
    assert!(plan.missing.is_empty());
    let mut numbers = plan.numbers(&arrays);
    plan.run_on_cpu(&arrays, &scalars, &mut numbers)?;
    Ok(numbers)
}

#[test]
fn a_body_in_rust_gets_its_values() {
    let bodies = vec![
        Variant {
            cpu: body,
            gpu: body
        };
        2
    ];
    let function = with_bodies(ARGUMENTS, None, bodies.leak());
    let mut y = [0.0; 6];
    let numbers = run(&function, &mut y).unwrap();
    assert_eq!(y, [2.5; 6]);
    assert_eq!(numbers.len(), 1);
    assert_eq!(numbers[0].argument, 3);
    assert_eq!(numbers[0].value.as_integer(numbers[0].dtype), 6);
}

/// A body in C that fails, in the way that its number says.
unsafe extern "C" fn failing(call: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: as declared; the host's functions are called with their call.
    unsafe {
        let values = std::slice::from_raw_parts(values, 4);
        let x: f32 = *values[1].data.cast();
        assert_eq!(x, 1.0);
        assert!(!((*call).scratch)(call, 1 << 20).is_null());
        assert_eq!(((*call).interrupted)(call), 0);
        assert!(((*call).scratch)(call, isize::MAX as usize).is_null());
        let message = c"said by C";
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
    // SAFETY: as above.
    unsafe {
        let context = (&raw const count).cast_mut().cast();
        assert_eq!(((*call).parallel)(call, 1000, task, context), 0);
        *(*values.add(3)).data.cast::<i32>() = count.into_inner() as i32;
    }
    0
}

fn in_c(cpu: c::Body) -> Function {
    let variant = c::Variant {
        cpu: Some(cpu),
        gpu: None,
    };
    let mut function = function(ARGUMENTS, None);
    function.spec.variants = Variants::C(vec![variant; 2].leak());
    function
}

#[test]
fn a_body_in_c_is_lent_threads() {
    let numbers = run(&in_c(counting), &mut [0.0; 6]).unwrap();
    assert_eq!(numbers[0].value.as_integer(DType::I32), 1000);
}

#[test]
fn a_body_in_c_says_what_has_failed() {
    let error = run(&in_c(failing), &mut [0.0; 6]).unwrap_err();
    assert_eq!(error, Kind::Value("said by C".to_owned()).into());
}

#[test]
fn failures_become_errors_of_their_kind() {
    for (status, kind) in [
        (Status::Type, Kind::Type("no".to_owned())),
        (Status::Value, Kind::Value("no".to_owned())),
        (Status::Overflow, Kind::Overflow("no".to_owned())),
        (Status::Memory, Kind::Scratch("no".to_owned())),
        (Status::Runtime, Kind::Kernel("no".to_owned())),
        (Status::Interrupted, Kind::Interrupted),
    ] {
        assert_eq!(Error::from(Failure::new(status, "no")), kind.into());
    }
}
