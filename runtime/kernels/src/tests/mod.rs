//! Kernels of every form, on the CPU, against plain loops.

mod atoms;
mod blocks;
mod each;
mod elements;
mod rows;
mod stops;
mod table;

use core::ffi::{c_char, c_int, c_void};
use core::mem::size_of_val;
use core::ptr;
use std::boxed::Box;
use std::vec::Vec;

use cuvec_spec::{Spec, Status, Value, c};

use crate::call::Failure;
use crate::grid::Element;
use crate::library::Declared;
use crate::library::text;

/// Lengths around a pack, a warp, a block, and what several threads share.
const LENGTHS: [usize; 11] = [0, 1, 31, 32, 33, 63, 65, 2047, 2049, 65_537, 200_003];

/// Services of the core, in tests: two threads.
#[repr(C)]
struct Core {
    row: c::Call,
    scratch: Vec<Box<[u128]>>,
    interrupted: bool,
    /// Blocks and threads.
    launches: Vec<[[u32; 3]; 2]>,
}

impl Core {
    fn new(interrupted: bool) -> Self {
        Self {
            row: c::Call {
                stream: ptr::null_mut(),
                report: ptr::null_mut(),
                gpu: 0,
                scratch,
                parallel,
                interrupted: is_interrupted,
                launch,
                error: c::Call::no_error(),
                object: ptr::null_mut(),
                allocate,
                release,
                keep,
                adds_to,
                run,
                walk: ptr::null(),
            },
            scratch: Vec::new(),
            interrupted,
            launches: Vec::new(),
        }
    }
}

/// # Safety
/// `call` must be the part of a `Core`, in all that use it.
#[allow(unsafe_code)]
unsafe extern "C" fn scratch(call: *mut c::Call, bytes: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let core = unsafe { &mut *call.cast::<Core>() };
    // No kernel may count on earlier contents.
    let mut block = std::vec![u128::MAX; bytes.div_ceil(16)].into_boxed_slice();
    let address = block.as_mut_ptr().cast();
    core.scratch.push(block);
    address
}

#[allow(unsafe_code)]
unsafe extern "C" fn allocate(_: *mut c::Call, _: usize, _: *mut *mut c_void) -> *mut c_void {
    ptr::null_mut() // these functions are of no class
}

#[allow(unsafe_code)]
unsafe extern "C" fn release(_: *mut c_void) {}

#[allow(unsafe_code)]
unsafe extern "C" fn keep(_: *mut c::Call, _: *mut c_void, _: c::End) {}

#[allow(unsafe_code)]
unsafe extern "C" fn adds_to(_: *mut c::Call, _: *const c_void) {}

#[allow(unsafe_code)]
unsafe extern "C" fn run(_: *mut c::Call, _: *const c_char, _: *const c::Operand, _: i32) -> c_int {
    1 // these functions call no others
}

#[allow(unsafe_code)]
unsafe extern "C" fn parallel(
    call: *mut c::Call,
    tasks: i64,
    task: c::Task,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the caller's.
    if unsafe { (*call.cast::<Core>()).interrupted } {
        return 1;
    }
    let context = context.expose_provenance();
    // SAFETY: the caller's, whose tasks may run at the same time.
    let run = move |index| unsafe { task(ptr::with_exposed_provenance_mut(context), index) };
    std::thread::scope(|scope| {
        scope.spawn(|| (tasks / 2..tasks).for_each(run));
        (0..tasks / 2).for_each(run);
    });
    0
}

#[allow(unsafe_code)]
unsafe extern "C" fn is_interrupted(call: *mut c::Call) -> c_int {
    // SAFETY: the caller's.
    unsafe { (*call.cast::<Core>()).interrupted }.into()
}

#[allow(unsafe_code)]
unsafe extern "C" fn launch(call: *mut c::Call, launch: *const c::Launch) -> c_int {
    // SAFETY: the caller's.
    let (core, launch) = unsafe { (&mut *call.cast::<Core>(), &*launch) };
    core.launches.push([launch.blocks, launch.threads]);
    0
}

/// An argument or a result, borrowed for a call.
struct Given<'a> {
    value: Value,
    shape: Box<[i64]>,
    bytes: usize,
    owner: core::marker::PhantomData<&'a mut ()>,
}

fn array<'a, T: Element>(elements: &'a mut [T], shape: &[usize]) -> Given<'a> {
    assert_eq!(elements.len(), shape.iter().product::<usize>());
    given(
        elements.as_mut_ptr().cast(),
        size_of_val(elements),
        elements.len(),
        shape,
    )
}

fn line<T: Element>(elements: &mut [T]) -> Given<'_> {
    let len = elements.len();
    array(elements, &[len])
}

fn number<T>(number: &mut T) -> Given<'_> {
    given(core::ptr::from_mut(number).cast(), size_of::<T>(), 1, &[])
}

fn given<'a>(data: *mut c_void, bytes: usize, len: usize, shape: &[usize]) -> Given<'a> {
    let shape: Box<[i64]> = shape.iter().map(|&extent| extent as i64).collect();
    let value = Value {
        data,
        shape: shape.as_ptr(),
        strides: ptr::null(),
        size: len as i64,
        count: ptr::null_mut(),
    };
    Given {
        value,
        shape,
        bytes,
        owner: core::marker::PhantomData,
    }
}

/// The function as the core reads it.
#[allow(unsafe_code)]
fn spec(declared: &Declared) -> Spec {
    let row = Box::leak(Box::new(declared.row(text("kernels/it.rs"))));
    // SAFETY: a row that is never freed.
    unsafe { row.spec() }.unwrap()
}

/// Calls a function, as it is for these dtypes, on the CPU.
fn call(function: &Declared, dtypes: &[&str], given: &[Given]) -> Result<(), Failure> {
    call_by(&mut Core::new(false), function, dtypes, given)
}

#[allow(unsafe_code)]
fn call_by(
    core: &mut Core,
    function: &Declared,
    dtypes: &[&str],
    given: &[Given],
) -> Result<(), Failure> {
    let spec = spec(function);
    assert_eq!(given.len(), spec.arguments.len());
    let variables = spec.variables.iter().zip(dtypes);
    let chosen: Vec<_> = variables
        .map(|(variable, &name)| {
            *variable
                .dtypes
                .iter()
                .find(|dtype| dtype.name() == name)
                .unwrap()
        })
        .collect();
    for (argument, given) in spec.arguments.iter().zip(given) {
        if !argument.shape.leading {
            let declared = argument.shape.extents.len();
            assert_eq!(declared, given.shape.len(), "{}", argument.name);
        }
        let dtype = match argument.dtype {
            cuvec_spec::Type::Fixed(dtype) => dtype,
            cuvec_spec::Type::Variable(index) => chosen[index],
            cuvec_spec::Type::Real(index) => chosen[index].real(),
        };
        assert_eq!(
            given.bytes,
            dtype.size() * given.value.size as usize,
            "{}",
            argument.name
        );
    }
    let values: Vec<_> = given.iter().map(|given| given.value).collect();
    let body = spec.variants[spec.variant(&chosen).unwrap()].cpu.unwrap();
    // SAFETY: arrays that are borrowed, of the shapes and the dtypes that the tests declare.
    let code = unsafe { body(ptr::from_mut(core).cast(), values.as_ptr()) };
    match Status::of(code) {
        None => Ok(()),
        // SAFETY: the body has written a message.
        Some(status) => Err(Failure::new(status, unsafe { core.row.message() })),
    }
}

/// Blocks and threads of the launches of a function that has no dtypes to choose.
fn launches(function: &Declared, given: &[Given]) -> Vec<[[u32; 3]; 2]> {
    launched(&mut Core::new(false), function, given)
}

#[allow(unsafe_code)]
fn launched(core: &mut Core, function: &Declared, given: &[Given]) -> Vec<[[u32; 3]; 2]> {
    let values: Vec<_> = given.iter().map(|given| given.value).collect();
    // SAFETY: arrays that are borrowed, of the shapes and the dtypes that the tests declare.
    let code = unsafe {
        let call = ptr::from_mut(core).cast();
        crate::pipeline::on_gpu(function.runs[0].pipeline, call, values.as_ptr())
    };
    assert_eq!(code, 0);
    core::mem::take(&mut core.launches)
}

/// Numbers below 1 that repeat late.
fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i * 7919 % 1009) as f64 / 1009.0).collect()
}
