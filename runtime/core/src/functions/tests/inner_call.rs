//! Tests the arguments that a body may give to a function that it calls.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use cuvec_spec::{Class, Struct};

use super::*;
use crate::error::Kind;
use crate::functions::body::{self, Provider};
use crate::functions::inner_call::{self, InnerCall, behind};
use crate::functions::on_cpu::OnCpu;
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::retained::Kept;

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
    unsafe { function.run_inner(&mut OnCpu::default(), &operands)? };
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
        (
            5,
            |y| {
                y.is_writable = 0;
                y.value.data = y.value.data.wrapping_byte_add(1);
            },
            "read-only",
        ),
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

#[test]
fn what_a_body_cannot_call() {
    unsafe extern "C" fn destroy(_: *mut c_void) {}
    const FOUND: &[Argument] =
        &[Argument::result("i", Type::Fixed(DType::I64), shape(&[N])).at_most()];
    const SMALL: DType = DType::Struct(&Struct {
        name: "Small",
        size: 4,
        alignment: 4,
        fields: &[],
    });
    const RECORDS: &[Argument] = &[Argument::input("x", Type::Fixed(SMALL), shape(&[N]))];
    let class = Some(Class {
        methods: &[],
        destroy,
    });
    let constructor = Spec {
        class,
        ..function(&[], None).spec
    };
    for function in [
        function(FOUND, None),
        function(RECORDS, None),
        Function::new(constructor),
    ] {
        // SAFETY: there are no operands.
        let error = unsafe { function.run_inner(&mut OnCpu::default(), &[]) }.unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("f(): a body cannot call"), "{text}");
    }
}

#[test]
fn an_error_keeps_its_kind_behind_the_name() {
    let text = |text: &str| text.to_owned();
    let memory = Kind::Memory {
        bytes: 8,
        kind: "host",
    };
    let no_memory = text("f(): cannot allocate 8 bytes of host memory");
    for (kind, told) in [
        (Kind::Type(text("no")), Kind::Type(text("f(): no"))),
        (Kind::Value(text("no")), Kind::Value(text("f(): no"))),
        (Kind::Overflow(text("no")), Kind::Overflow(text("f(): no"))),
        (Kind::Scratch(text("no")), Kind::Scratch(text("f(): no"))),
        (memory, Kind::Scratch(no_memory)),
        (Kind::Interrupted, Kind::Interrupted),
        (Kind::Unavailable(text("no")), Kind::Kernel(text("f(): no"))),
    ] {
        assert_eq!(behind("f", &kind.into()), told.into());
    }
}

/// Gives what can be told apart, as the call on a GPU would.
#[derive(Default)]
struct Caller {
    watch: Watch,
    kept: Vec<Kept>,
    added: Vec<usize>,
    reused: usize,
}

impl Provider for Caller {
    fn stream(&self) -> *mut c_void {
        ptr::without_provenance_mut(1)
    }

    fn gpu(&self) -> i32 {
        2
    }

    fn report(&self) -> *mut c::ReportSlot {
        ptr::without_provenance_mut(3)
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void> {
        Ok(ptr::without_provenance_mut(bytes))
    }

    fn reuse_scratch(&mut self) {
        self.reused += 1;
    }

    fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    fn object(&mut self) -> &mut *mut c_void {
        unreachable!("an inner call has no object of its caller");
    }

    fn allocate(&mut self, bytes: usize) -> Result<Arc<Block>> {
        Block::on_host(bytes)
    }

    fn keep(&mut self, kept: Kept) {
        self.kept.push(kept);
    }

    fn adds_to(&mut self, array: usize) {
        self.added.push(array);
    }

    unsafe fn launch(&mut self, _: &c::Launch) -> Result<()> {
        Err(Kind::Value("launched".to_owned()).into())
    }

    unsafe fn run(&mut self, function: &str, operands: &[c::Operand]) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { inner_call::run(self, function, operands) }
    }
}

#[test]
fn a_part_is_provided_with_what_its_caller_is() {
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn end(_: *mut c_void) {
        ENDED.fetch_add(1, SeqCst);
    }
    let mut caller = Caller::default();
    let watch = ptr::from_ref(&caller.watch);
    let object = ptr::without_provenance_mut(5);
    let mut inner = InnerCall {
        provider: &mut caller,
        object,
    };
    assert!(ptr::eq(inner.watch(), watch));
    inner.reuse_scratch();
    // SAFETY: the call of this run, and what is asked for is not used.
    let outcome = unsafe {
        body::run_with(&mut inner, |call| {
            let it = &*call;
            assert_eq!(
                (it.stream.addr(), it.gpu, it.report.addr(), it.object),
                (1, 2, 3, object)
            );
            assert_eq!((it.scratch)(call, 4).addr(), 4);
            let mut owner = ptr::null_mut();
            assert!(!(it.allocate)(call, 8, &raw mut owner).is_null());
            (it.release)(owner);
            (it.keep)(call, ptr::null_mut(), end);
            (it.adds_to)(call, ptr::without_provenance(6));
            assert_eq!(ENDED.load(SeqCst), 0);
            0
        })
    };
    assert_eq!(outcome, Ok(()));
    assert_eq!(
        (&caller.added[..], caller.kept.len(), caller.reused),
        (&[6][..], 1, 0)
    );
    drop(caller);
    assert_eq!(ENDED.load(SeqCst), 1);
}
