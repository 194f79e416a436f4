//! New arrays for results: of the library whose arrays a function was called with, or `CuVec`s.

use std::sync::Arc;

use cuvec_core::functions::Plan;
use cuvec_core::{Array, Block};
use cuvec_spec::Role;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use super::adapters;
use super::callable::Callable;
use super::matching::{Matched, matched_arrays};
use crate::argument::Argument;
use crate::buffer::{Buffer, array_of};
use crate::cupy;
use crate::dlpack::exchange;
use crate::dlpack::ffi::{DLDevice, DLPackExchangeAPI};
use crate::finalization;
use crate::stream::StreamCache;

/// Objects for the results, in their order.
pub type Objects<'py> = Vec<Option<Bound<'py, PyAny>>>;

/// A library that makes arrays, and the GPU to make them on; none for the CPU.
pub struct Library {
    makes: Makes,
    gpu: Option<usize>,
}

enum Makes {
    Torch(&'static DLPackExchangeAPI),
    Cupy,
    /// Its arrays do not change, so XLA makes them and what is in them.
    Jax,
}

impl Library {
    /// The library of the first argument that is an array of PyTorch, CuPy or JAX.
    pub fn of(
        callable: &Callable,
        matched: &Matched<'_, '_>,
        arguments: &[Option<Argument>],
    ) -> Option<Self> {
        if callable.results == 0 || callable.function.returns_structs() {
            return None; // only NumPy has arrays of structs
        }
        matched_arrays(callable, matched, arguments).find_map(|(object, argument)| {
            let argument = argument.as_ref()?;
            let makes = match exchange::torchs(object) {
                Some(functions) => Makes::Torch(functions),
                None if cupy::was_seen(object) => Makes::Cupy,
                None if adapters::is_jax(object, argument)
                    && adapters::takes_jax(callable, matched) =>
                {
                    Makes::Jax
                }
                None => return None,
            };
            let gpu = argument.array.gpu();
            Some(Self { makes, gpu })
        })
    }

    /// True if the whole call is left to JAX's adapter.
    pub fn is_jax(&self) -> bool {
        matches!(self.makes, Makes::Jax)
    }

    /// New arrays for the results that are pending, as the arguments that they are.
    pub fn make<'py>(
        &self,
        py: Python<'py>,
        callable: &Callable,
        plan: &Plan,
        objects: &mut Objects<'py>,
    ) -> PyResult<Vec<Argument>> {
        let streams = StreamCache::default();
        let mut made = Vec::with_capacity(plan.pending.len());
        for pending in &plan.pending {
            let name = callable.function.spec.arguments[pending.argument].shown_name();
            let object = match self.makes {
                Makes::Torch(functions) => {
                    let device = DLDevice::of(self.gpu);
                    exchange::new_tensor(py, functions, pending.dtype, &pending.shape, device)?
                }
                Makes::Cupy => cupy::empty(py, name, &pending.shape, pending.dtype, self.gpu)?,
                Makes::Jax => unreachable!("the whole call is left to the adapter"),
            };
            made.push(Argument::read(
                object.as_borrowed(),
                name,
                Role::Result,
                &streams,
            )?);
            objects[pending.argument - callable.out()] = Some(object);
        }
        Ok(made)
    }
}

/// `CuVec`s over the memory of the results that are pending.
pub fn make<'py>(
    py: Python<'py>,
    callable: &Callable,
    plan: &Plan,
    blocks: Vec<Arc<Block>>,
    objects: &mut Objects<'py>,
) -> PyResult<Vec<Array>> {
    let mut allocated = Vec::with_capacity(blocks.len());
    for (missing, block) in plan.pending.iter().zip(blocks) {
        let buffer = Buffer::over(block, missing.dtype, missing.shape.clone(), missing.bytes);
        allocated.push(buffer.array());
        let array = array_of(&Bound::new(py, buffer)?)?;
        objects[missing.argument - callable.out()] = Some(array);
    }
    Ok(allocated)
}

/// As many of an array as there are, where the function has found that.
pub fn first<'py>(
    array: &Bound<'py, PyAny>,
    count: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let slice = finalization::call(&py.get_type::<PySlice>(), &PyTuple::new(py, [count])?, None)?;
    finalization::item(array.as_borrowed(), &slice)
}
