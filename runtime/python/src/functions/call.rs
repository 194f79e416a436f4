//! One call, from Python's objects to Python's objects.

use std::array;
use std::sync::Arc;

use cuvec_core::functions::{self, Dtypes, INLINE_ARGS, Plan, Scalar, ScalarResult, Scalars};
use cuvec_core::{Block, Stream};
use cuvec_spec::{DType, DefaultValue, MAX_ARGUMENTS, Role};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::adapters;
use super::callable::Callable;
use super::matching::{self, Matched};
use super::number;
use super::object::Object;
use super::record;
use super::results::{self, Library, Objects};
use crate::argument::{self, Argument};
use crate::autograd;
use crate::error::to_python;
use crate::finalization::{self, Kept};
use crate::stream::{self, StreamArgument, StreamCache};

/// The arrays that were given, at the places of their arguments.
type Arguments = [Option<Argument>];

/// How far a call comes without Python.
enum Begun {
    Done(Box<[ScalarResult]>, Option<Arc<functions::Object>>),
    /// Another library makes the arrays of results.
    Planned(Plan<'static>),
    /// There is memory for results, which is to become arrays.
    Allocated(Plan<'static>, Vec<Arc<Block>>),
}

pub fn call<'py>(
    py: Python<'py>,
    callable: &'static Callable,
    matched: &Matched<'_, 'py>,
    object: Option<&Arc<functions::Object>>,
) -> PyResult<Bound<'py, PyAny>> {
    if callable.function.spec.arguments.len() <= INLINE_ARGS {
        call_sized::<INLINE_ARGS>(py, callable, matched, object)
    } else {
        call_sized::<MAX_ARGUMENTS>(py, callable, matched, object)
    }
}

/// The call of a function that has `N` arguments at most, or of a method on an object.
fn call_sized<'py, const N: usize>(
    py: Python<'py>,
    callable: &'static Callable,
    matched: &Matched<'_, 'py>,
    object: Option<&Arc<functions::Object>>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = callable.function;
    let count = function.spec.arguments.len();
    let mut arguments: [_; N] = array::from_fn(|_| None); // writes what says that, and nothing more
    let arguments = &mut arguments[..count];
    let stream = matched[callable.stream()].filter(|stream| !stream.is_none());
    let streams = StreamCache::borrowing(stream.is_some());
    let mut objects = Vec::new();
    if let Err(error) = read(callable, matched, &streams, arguments, &mut objects) {
        return adapters::instead(py, callable, matched, arguments, error);
    }
    let stream = match stream {
        Some(object) => Some(StreamArgument::of(object).map_err(cold)?.0),
        None => None,
    };
    let mut retains = stream.filter(|stream| has_others(arguments, *stream));
    if let Some(stream) = retains {
        own(stream, callable, matched, &objects, arguments)?;
    }
    let library = Library::of(callable, matched, arguments);
    let is_foreign = library.is_some();
    let mut arrays = [None; N];
    let arrays = &mut arrays[..count];
    for (slot, argument) in arrays.iter_mut().zip(&*arguments) {
        *slot = argument.as_ref().map(|argument| &argument.array);
    }
    let mut dtypes = Dtypes::default();
    if let Some(object) = object {
        function.fix_dtypes(object, &mut dtypes);
    }
    for argument in function.choosers() {
        matching::choose_dtype(callable, argument, matched[argument], &mut dtypes).map_err(cold)?;
    }
    function.dtypes(arrays, &mut dtypes).map_err(to_python)?;
    if stream.is_none() {
        stream::refuse_foreign_capture(py, arrays.iter().flatten().copied())?;
    }
    let (mut few, mut many) = ([Scalar::default(); N], Vec::new());
    let slots = function.scalar_count();
    let scalars = if slots <= N {
        &mut few[..slots]
    } else {
        many.resize(slots, Scalar::default());
        &mut many[..]
    };
    read_scalars(callable, matched, &dtypes, scalars).map_err(cold)?;
    let begin = || {
        let plan = match object {
            None => function.plan(arrays, scalars, dtypes)?,
            Some(object) => function.plan_on(object, arrays, scalars, dtypes)?,
        };
        if plan.pending.is_empty() {
            let numbers = plan.run(arrays, scalars, stream)?;
            return Ok(Begun::Done(numbers, plan.made()));
        }
        if is_foreign {
            return Ok(Begun::Planned(plan));
        }
        let blocks = plan
            .pending
            .iter()
            .map(|missing| missing.allocate(&plan, arrays));
        let blocks = blocks.collect::<cuvec_core::Result<_>>()?;
        Ok(Begun::Allocated(plan, blocks))
    };
    let mut constructed = None;
    let begun = py
        .detach(begin)
        .map_err(|error| adapters::explained(py, callable, matched, arguments, error))?;
    let numbers = match begun {
        Begun::Done(numbers, made) => {
            constructed = made;
            numbers
        }
        Begun::Planned(plan) => {
            let library = library.as_ref().expect("nobody else plans only");
            if library.is_jax() {
                return adapters::of_jax(py, callable, matched, arguments);
            }
            let made = library.make(py, callable, &plan, &mut objects)?;
            for (missing, argument) in plan.pending.iter().zip(&made) {
                arrays[missing.argument] = Some(&argument.array);
            }
            let run = || plan.run(arrays, scalars, stream);
            let numbers = py.detach(run).map_err(to_python)?;
            for (missing, argument) in plan.pending.iter().zip(made) {
                arguments[missing.argument] = Some(argument);
            }
            retains = stream.filter(|stream| has_others(arguments, *stream));
            numbers
        }
        Begun::Allocated(plan, blocks) => {
            let allocated = results::make(py, callable, &plan, blocks, &mut objects)?;
            for (missing, array) in plan.pending.iter().zip(&allocated) {
                arrays[missing.argument] = Some(array);
            }
            let run = || plan.run(arrays, scalars, stream);
            py.detach(run).map_err(to_python)?
        }
    };
    if let Some(stream) = retains {
        retain(stream, callable, matched, &objects, arguments)?;
    }
    let parameters = callable.parameters.iter().zip(matched);
    let written = parameters.filter_map(|(it, given)| given.filter(|_| it.role.is_written()));
    let has_out = callable.results > 0 && matched[callable.out()].is_some_and(|it| !it.is_none());
    let out = if has_out { &objects[..] } else { &[] };
    for array in written.chain(out.iter().flatten().map(Bound::as_borrowed)) {
        autograd::written(array)?;
    }
    argument::release_done(py);
    match constructed {
        Some(object) => Ok(Bound::new(py, Object::over(object))?.into_any()),
        None => answer(py, callable, objects, &numbers),
    }
}

/// Checks whether a call on this stream may let the GPU use memory unknown to its owner.
#[inline]
fn has_others(arguments: &Arguments, stream: Stream) -> bool {
    let mut given = arguments.iter().flatten();
    given.any(|argument| argument.array.may_be_reused(stream))
}

/// An error on its way. It comes through here for the compiler to know that calls rarely do, and to
/// lay out apart what follows.
#[cold]
#[inline(never)]
fn cold(error: PyErr) -> PyErr {
    error
}

/// Takes a share in what is only borrowed and [`retain`] will retain.
fn own(
    stream: Stream,
    callable: &Callable,
    matched: &Matched<'_, '_>,
    results: &Objects<'_>,
    arguments: &mut Arguments,
) -> PyResult<()> {
    let streams = StreamCache::default();
    for (index, slot) in arguments.iter_mut().enumerate() {
        let must_own = |it: &Argument| it.is_borrowed() && it.array.may_be_reused(stream);
        if slot.as_ref().is_some_and(must_own)
            && let Some(object) = object_of(index, callable, matched, results)
        {
            array(callable, index, object, &streams, slot)?;
        }
    }
    Ok(())
}

/// The object that was given for an argument.
fn object_of<'a, 'py>(
    argument: usize,
    callable: &Callable,
    matched: &Matched<'a, 'py>,
    results: &'a Objects<'py>,
) -> Option<Borrowed<'a, 'py, PyAny>> {
    match argument.checked_sub(callable.out()) {
        None => matched[argument],
        Some(result) => results.get(result)?.as_ref().map(Bound::as_borrowed),
    }
}

/// Retains what the GPU may still use and its owner knows nothing of.
fn retain(
    stream: Stream,
    callable: &Callable,
    matched: &Matched<'_, '_>,
    results: &Objects<'_>,
    arguments: &mut Arguments,
) -> PyResult<()> {
    let (mut retained, mut on) = (Vec::new(), None);
    for (index, slot) in arguments.iter_mut().enumerate() {
        let Some(argument) = slot.take_if(|it| it.array.may_be_reused(stream)) else {
            continue;
        };
        let object = object_of(index, callable, matched, results);
        on = argument.array.gpu();
        let object = object.map(|object| Kept::from(object.to_owned()));
        retained.extend(object.map(|object| (object, argument)));
    }
    on.map_or(Ok(()), |gpu| {
        argument::retain(stream, gpu, Box::new(retained))
    })
}

/// Reads the arrays, and the objects that results are given in.
fn read<'py>(
    callable: &Callable,
    matched: &Matched<'_, 'py>,
    streams: &StreamCache,
    arguments: &mut Arguments,
    objects: &mut Objects<'py>,
) -> PyResult<()> {
    let parameters = callable.parameters.iter();
    let slots = arguments.iter_mut().enumerate();
    for ((parameter, (index, slot)), given) in parameters.zip(slots).zip(matched) {
        match given {
            Some(_) if !parameter.choices.is_empty() || parameter.items > 0 => {}
            Some(_) if parameter.role == Role::Scalar && callable.function.is_struct(index) => {}
            Some(object) if parameter.role == Role::Scalar => {
                number::refuse_array(parameter, parameter.name, *object).map_err(cold)?;
            }
            Some(object) if parameter.is_optional && object.is_none() => {}
            Some(object) => array(callable, index, *object, streams, slot).map_err(cold)?,
            None => {}
        }
    }
    if callable.results > 0 {
        objects.resize(callable.results, None);
        if let Some(out) = matched[callable.out()]
            && !out.is_none()
        {
            spread(callable, out, objects)?;
        }
        let slots = arguments.iter_mut().enumerate().skip(callable.out());
        for (object, (index, slot)) in objects.iter().zip(slots) {
            if let Some(object) = object {
                array(callable, index, object.as_borrowed(), streams, slot)?;
            }
        }
    }
    Ok(())
}

/// Reads the array that is given for an argument.
fn array(
    callable: &Callable,
    argument: usize,
    object: Borrowed<'_, '_, PyAny>,
    streams: &StreamCache,
    slot: &mut Option<Argument>,
) -> PyResult<()> {
    let name = callable.function.name(argument);
    let role = callable.function.spec.arguments[argument].role;
    Argument::put(object, name, role, streams, slot)
}

/// The objects for the results, as `out` gives them; none for those that are to be new. What calls for a
/// derivative gives saved results, too.
fn spread<'py>(
    callable: &Callable,
    out: Borrowed<'_, 'py, PyAny>,
    objects: &mut Objects<'py>,
) -> PyResult<()> {
    let all = callable.results + callable.saved;
    if callable.saved > 0 && out.cast::<PyTuple>().is_ok_and(|it| it.len() == all) {
        objects.resize(all, None);
    }
    if let [object] = &mut objects[..] {
        if out.is_instance_of::<PyTuple>() {
            return Err(PyTypeError::new_err(
                "out must be an array, not tuple; the function has one result: pass its array alone",
            ));
        }
        *object = Some(out.to_owned());
        return Ok(());
    }
    let count = objects.len();
    let wrong = || PyTypeError::new_err(format!("out must be a tuple of {count} arrays"));
    let tuple = out.cast::<PyTuple>().map_err(|_| wrong())?;
    if tuple.len() != count {
        return Err(wrong());
    }
    for (object, item) in objects.iter_mut().zip(tuple.iter()) {
        *object = Some(item).filter(|item| !item.is_none());
    }
    Ok(())
}

/// The numbers, in the dtypes that they have in this call.
fn read_scalars(
    callable: &Callable,
    matched: &Matched,
    dtypes: &Dtypes,
    scalars: &mut Scalars,
) -> PyResult<()> {
    let parameters = callable.parameters.iter().enumerate();
    for ((index, parameter), given) in parameters.zip(matched) {
        if parameter.role != Role::Scalar || parameter.chooses.is_some() {
            continue;
        }
        let dtype = dtypes.of(parameter);
        if parameter.items > 0 {
            let tuple = &mut scalars[callable.function.slot_of_tuple(index)..];
            read_tuple(parameter, *given, dtype, tuple)?;
            continue;
        }
        if let (Some(structure), Some(object)) = (dtype.structure(), given) {
            let bytes = &mut scalars[callable.function.slot_of_tuple(index)..];
            let bytes = Scalar::bytes_of(bytes);
            record::value(parameter.name, structure, *object, bytes)?;
            continue;
        }
        scalars[index] = match (given, parameter.default) {
            (Some(object), _) if !parameter.choices.is_empty() => {
                number::choice(parameter, *object)?
            }
            (Some(object), _) => number::read(parameter.name, *object, dtype)?,
            (None, Some(DefaultValue::Number(default))) => {
                Scalar::declared(default, dtype).unwrap_or_default()
            }
            (None, _) => continue, // all that is required is there
        };
    }
    Ok(())
}

#[cold]
fn read_tuple(
    parameter: &cuvec_spec::Argument,
    given: Option<Borrowed<'_, '_, PyAny>>,
    dtype: DType,
    tuple: &mut Scalars,
) -> PyResult<()> {
    match (given, parameter.default) {
        (Some(object), _) => number::items(parameter, object, dtype, tuple)?,
        (None, Some(DefaultValue::Items(items))) => {
            for (index, item) in items.iter().enumerate() {
                let item = Scalar::declared(*item, dtype).unwrap_or_default();
                item.put(index, dtype, tuple);
            }
        }
        (None, _) => {} // all that is required is there
    }
    Ok(())
}

/// Returns the result of the call.
fn answer<'py>(
    py: Python<'py>,
    callable: &Callable,
    mut objects: Objects<'py>,
    numbers: &[ScalarResult],
) -> PyResult<Bound<'py, PyAny>> {
    for number in numbers {
        let slot = &mut objects[number.argument - callable.out()];
        let value = number::to_python(py, number)?;
        *slot = Some(match slot.take() {
            None => value,
            Some(array) => results::first(&array, value)?,
        });
    }
    objects.truncate(callable.results);
    match callable.results {
        0 => Ok(py.None().into_bound(py)),
        1 => Ok(objects
            .pop()
            .flatten()
            .expect("a result is given, allocated or a number")),
        _ => {
            let results = PyTuple::new(py, objects)?;
            match &callable.result_type {
                Some((class, new)) => {
                    let arguments = (class, results).into_pyobject(py)?;
                    finalization::call(new.bind(py), &arguments, None)
                }
                None => Ok(results.into_any()),
            }
        }
    }
}
