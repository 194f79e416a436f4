//! Kernels of every form, on the CPU, against plain loops.

mod each;
mod elements;
mod fold;
mod over;
mod stops;
mod table;

use core::ffi::c_void;
use core::mem::size_of_val;
use std::boxed::Box;
use std::vec::Vec;

use declared::body::Value;
use declared::{Call, Failure, Launch, Spec, Variants};

use crate::grid::Element;

/// Lengths around a pack, a warp, a block, and what several threads share.
const LENGTHS: [usize; 11] = [0, 1, 31, 32, 33, 63, 65, 2047, 2049, 65_537, 200_003];

/// A host of tests: two threads.
#[derive(Default)]
struct Host {
    scratch: Vec<Box<[u128]>>,
    interrupted: bool,
}

impl Call for Host {
    fn stream(&self) -> *mut c_void {
        core::ptr::null_mut()
    }

    fn gpu(&self) -> i32 {
        0
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void, Failure> {
        // What was there before is nothing that a kernel may count on.
        let mut block = std::vec![u128::MAX; bytes.div_ceil(16)].into_boxed_slice();
        let address = block.as_mut_ptr().cast();
        self.scratch.push(block);
        Ok(address)
    }

    fn parallel(&mut self, tasks: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), Failure> {
        if self.interrupted {
            return Err(Failure::interrupted());
        }
        std::thread::scope(|scope| {
            scope.spawn(|| (tasks / 2..tasks).for_each(task));
            (0..tasks / 2).for_each(task);
        });
        Ok(())
    }

    fn interrupted(&mut self) -> bool {
        self.interrupted
    }

    #[allow(unsafe_code)]
    unsafe fn launch(&mut self, _launch: Launch<'_>) -> Result<(), Failure> {
        unreachable!("on the CPU there is nothing to launch")
    }
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
        size: len as i64,
    };
    Given {
        value,
        shape,
        bytes,
        owner: core::marker::PhantomData,
    }
}

/// Calls a function, as it is for these dtypes, on the CPU.
fn call(spec: &Spec, dtypes: &[&str], given: &[Given]) -> Result<(), Failure> {
    call_by(&mut Host::default(), spec, dtypes, given)
}

#[allow(unsafe_code)]
fn call_by(host: &mut Host, spec: &Spec, dtypes: &[&str], given: &[Given]) -> Result<(), Failure> {
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
        if let declared::Shape::Extents(extents) = argument.shape {
            assert_eq!(extents.len(), given.shape.len(), "{}", argument.name);
        }
        let dtype = match argument.dtype {
            declared::Type::Fixed(dtype) => dtype,
            declared::Type::Variable(index) => chosen[index],
        };
        assert_eq!(
            given.bytes,
            dtype.size() * given.value.size as usize,
            "{}",
            argument.name
        );
    }
    let Variants::Rust(variants) = spec.variants else {
        unreachable!()
    };
    let values: Vec<_> = given.iter().map(|given| given.value).collect();
    // SAFETY: arrays that are borrowed, of the shapes and the dtypes that the tests declare.
    unsafe { (variants[spec.variant(&chosen).unwrap()].cpu)(host, &values) }
}

/// Numbers below 1 that repeat late.
fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i * 7919 % 1009) as f64 / 1009.0).collect()
}
