//! What a body may give to a function that it calls.

use std::ffi::c_void;
use std::ptr;

use super::*;
use crate::error::Kind;
use crate::functions::cpu::OnCpu;

const ARGUMENTS: &[Argument] = &[
    Argument::scalar("a", T),
    Argument::tuple("pair", COUNT, 2),
    Argument::option("how", &["up", "down"]),
    Argument::input("x", T, shape(&[N])),
    Argument::input("w", T, shape(&[N])).optional(),
    Argument::result("y", T, shape(&[N])),
    Argument::result("saved", T, shape(&[N])).saved(),
];

/// Puts all that it gets in `y`.
unsafe extern "C" fn body(_: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: as declared above.
    unsafe {
        let [a, pair, how, x, w, y, saved] = *values.cast::<[Value; 7]>();
        let factor: f32 = a.scalar();
        let pair = *pair.data.cast::<[i32; 2]>();
        let how: i32 = how.scalar();
        for index in 0..x.size as usize {
            let weight = if w.data.is_null() {
                1.0
            } else {
                *w.data.cast::<f32>().add(index)
            };
            let value = factor * *x.data.cast::<f32>().add(index) * weight;
            *saved.data.cast::<f32>().add(index) = value;
            *y.data.cast::<f32>().add(index) =
                value + (pair[0] * 10 + pair[1] * 100 + how * 1000) as f32;
        }
    }
    0
}

fn scalar<X>(value: &X, dtype: DType, count: i64) -> c::Operand {
    c::Operand {
        value: Value {
            data: ptr::from_ref(value).cast_mut().cast(),
            shape: ptr::null(),
            strides: ptr::null(),
            size: count,
            count: ptr::null_mut(),
        },
        dtype: dtype.value(),
        rank: -1,
        is_writable: 0,
    }
}

fn line(start: *mut f32, shape: &[i64; 1], is_writable: bool) -> c::Operand {
    c::Operand {
        value: Value {
            data: start.cast::<c_void>(),
            shape: shape.as_ptr(),
            strides: ptr::null(),
            size: shape[0],
            count: ptr::null_mut(),
        },
        dtype: DType::F32.value(),
        rank: 1,
        is_writable: is_writable.into(),
    }
}

/// Calls it with operands that `change` has changed.
fn run(change: impl FnOnce(&mut Vec<c::Operand>)) -> Result<[f32; 3]> {
    let function = with_body(ARGUMENTS, None, body);
    let (mut x, mut y, three) = ([1.0, 2.0, 3.0], [0.0; 3], [3]);
    let mut operands = vec![
        scalar(&2_i64, DType::I64, 1),
        scalar(&[3_i16, 4], DType::I16, 2),
        scalar(&1_u8, DType::U8, 1),
        line(x.as_mut_ptr(), &three, false),
        line(ptr::null_mut(), &three, false),
        line(y.as_mut_ptr(), &three, true),
    ];
    change(&mut operands);
    // SAFETY: memory of the host.
    unsafe { function.run_part(&mut OnCpu::default(), &operands)? };
    Ok(y)
}

fn refused(change: impl FnOnce(&mut Vec<c::Operand>)) -> Kind {
    run(change).unwrap_err().kind().clone()
}

fn wrong_type(message: &str) -> Kind {
    Kind::Type(message.to_owned())
}

#[test]
fn scalars_are_converted_and_an_array_may_be_none() {
    assert_eq!(run(|_| {}), Ok([1432.0, 1434.0, 1436.0]));
    let mut weights = [1.0, 10.0, 100.0];
    let start = weights.as_mut_ptr();
    let three = [3];
    let weighted = run(|operands| operands[4] = line(start, &three, false));
    assert_eq!(weighted, Ok([1432.0, 1470.0, 2030.0]));
    let half = run(|operands| operands[0] = scalar(&0.5_f64, DType::F64, 1));
    assert_eq!(half, Ok([1430.5, 1431.0, 1431.5]));
}

#[test]
fn what_only_a_derivative_sees_may_be_given() {
    let (mut saved, three) = ([0.0; 3], [3]);
    let start = saved.as_mut_ptr();
    run(|operands| operands.push(line(start, &three, true))).unwrap();
    assert_eq!(saved, [2.0, 4.0, 6.0]);
}

#[test]
fn empty_arrays_need_no_body() {
    let none = [0];
    let empty = |operands: &mut Vec<c::Operand>| {
        for index in [3, 5] {
            let start = ptr::dangling_mut();
            operands[index] = line(start, &none, true);
        }
    };
    assert_eq!(run(empty), Ok([0.0; 3]));
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let of = |index: usize, operand: c::Operand| refused(|operands| operands[index] = operand);
    let complex = [1.0_f64, 1.0];
    let wrong = of(0, scalar(&complex, DType::C128, 1));
    assert_eq!(wrong, wrong_type("f(): a must be a scalar: float32"));
    let wrong = of(1, scalar(&[0.5_f64, 1.0], DType::F64, 2));
    assert_eq!(wrong, wrong_type("f(): pair must be a scalar: int32"));
    let wrong = of(1, scalar(&[1_i32; 3], DType::I32, 3));
    assert_eq!(wrong, wrong_type("f(): pair must be a scalar: 2 of int32"));
    let wrong = of(1, scalar(&[1_i64 << 40, 1], DType::I64, 2));
    assert_eq!(wrong, wrong_type("f(): pair must be a scalar: int32"));
    let wrong = of(2, scalar(&2_i32, DType::I32, 1));
    assert_eq!(
        wrong,
        wrong_type("f(): how must be a scalar: the index of one of its choices")
    );
    let three = [3];
    let wrong = of(0, line(ptr::dangling_mut(), &three, false));
    assert_eq!(wrong, wrong_type("f(): a must be a scalar: 1 of float32"));
}

#[test]
fn arrays_are_checked_as_in_other_calls() {
    let change = |index: usize, change: fn(&mut c::Operand)| {
        refused(|operands| change(&mut operands[index]))
    };
    let wrong = change(3, |x| x.rank = -1);
    assert_eq!(wrong, wrong_type("f(): x must be an array"));
    let wrong = change(3, |x| x.value.data = ptr::null_mut());
    assert_eq!(wrong, wrong_type("f(): x must be an array, not None"));
    let wrong = change(5, |y| y.value.data = ptr::null_mut());
    assert_eq!(wrong, wrong_type("f(): y must be an array, not None"));
    for (index, change_it, says) in [
        (
            3,
            (|x| x.value.shape = [2_i64; 1].as_ptr()) as fn(&mut c::Operand),
            "shape",
        ),
        (
            3,
            |x| x.value.shape = [-2_i64; 1].as_ptr(),
            "a size below zero",
        ),
        (5, |y| y.is_writable = 0, "read-only"),
        (3, |x| x.value.strides = [2_i64; 1].as_ptr(), "C-contiguous"),
        (
            3,
            |x| x.value.data = x.value.data.wrapping_byte_add(1),
            "aligned",
        ),
    ] {
        match change(index, change_it) {
            Kind::Value(text) if text.contains(says) => {}
            other => panic!("{says}: {other:?}"),
        }
    }
    let same = refused(|operands| operands[5].value.data = operands[3].value.data);
    assert!(matches!(same, Kind::Value(text) if text.contains("overlap")));
    let wrong = change(3, |x| x.dtype = DType::I32.value());
    assert!(matches!(wrong, Kind::Type(text) if text.starts_with("f(): x has dtype int32")));
}

#[test]
fn all_of_them_are_given() {
    let few = refused(|operands| operands.truncate(5));
    assert_eq!(few, wrong_type("f(): has 6 arguments and results, not 5"));
    let many = refused(|operands| {
        for _ in 0..2 {
            operands.push(operands[5]);
        }
    });
    assert_eq!(many, wrong_type("f(): has 6 arguments and results, not 8"));
}
