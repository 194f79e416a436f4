//! Objects of declared classes.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{mem, ptr};

use cuvec_spec::c::End;
use cuvec_spec::{DType, Spec};

use super::dtypes::Dtypes;
use super::function::{Arrays, Function, Scalars};
use super::plan::Plan;
use super::scalar::Scalar;
use super::shapes::{Leading, Sizes};
use super::turn::{Turn, Turns};
use crate::array::Array;
use crate::calls::{StreamCall, keep_until};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::fork;
use crate::gpu::capture::FOR_OBJECTS;
use crate::gpu::{Mark, Stream};

/// Pointer by which bodies know an object.
#[derive(Clone, Copy)]
pub(super) struct Pointer(pub *mut c_void);

impl Default for Pointer {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

/// An object of a class. Its owners share it; it ends when the last of them is gone, and the streams that have
/// used it are done with it.
pub struct Object {
    /// The name of its class.
    pub class: &'static str,
    instance: Option<Instance>,
    /// The values of what methods know of the constructor, in the order of [`known`].
    sizes: Vec<i64>,
    /// The dtypes that it was constructed for.
    dtypes: Dtypes,
    /// How many variables its class has.
    variables: usize,
    turns: Turns,
    /// Where streams have used it last.
    uses: Mutex<Vec<Mark>>,
}

/// Object that a constructor has made.
struct Instance {
    pointer: *mut c_void,
    destroy: End,
    device: Device,
    forks: usize,
}

// SAFETY: calls take turns, and it may end on any thread: so a class is declared.
unsafe impl Send for Instance {}
// SAFETY: what is shared is read; calls that use what `pointer` leads to take turns.
unsafe impl Sync for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        let end = || {
            // SAFETY: made by the constructor of this class, and used no more.
            unsafe { (self.destroy)(self.pointer) };
        };
        match self.device {
            Device::Cpu => end(),
            // A child process leaves it to its parent, and without a context nothing can be freed.
            Device::Gpu(_) if self.forks != fork::generation() => {}
            Device::Gpu(gpu) => {
                if let Ok(_current) = gpu.enter() {
                    end();
                }
            }
        }
    }
}

/// The names of what methods know of a constructor: its dimensions, and its integers.
pub(super) fn known(constructor: &Spec) -> Vec<&'static str> {
    let dimensions = constructor.dimensions.iter().map(|it| it.name);
    dimensions
        .chain(integers(constructor).map(|(_, name)| name))
        .collect()
}

fn integers(constructor: &Spec) -> impl Iterator<Item = (usize, &'static str)> {
    let arguments = constructor.arguments.iter().enumerate();
    let is_integer = |it: &cuvec_spec::Argument| {
        let is_single = it.choices.is_empty() && it.items == 0;
        is_single
            && matches!(it.dtype, cuvec_spec::Type::Fixed(dtype) if "iu".contains(dtype.kind()))
    };
    arguments
        .filter(move |(_, it)| it.role == cuvec_spec::Role::Scalar && is_integer(it))
        .map(|(index, it)| (index, it.name))
}

impl Object {
    /// Returns the index of its GPU; none if it lives on the CPU.
    #[must_use]
    pub fn gpu(&self) -> Option<usize> {
        match self.device() {
            Device::Cpu => None,
            Device::Gpu(gpu) => Some(gpu.index),
        }
    }

    /// The names of the dtypes that it was constructed for.
    #[must_use]
    pub fn dtypes(&self) -> Vec<&'static str> {
        self.dtypes.names(self.variables)
    }

    fn device(&self) -> Device {
        self.instance.as_ref().map_or(Device::Cpu, |it| it.device)
    }

    fn uses(&self) -> MutexGuard<'_, Vec<Mark>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the calls that use it now, so that it ends with its last owner, and not later.
    ///
    /// # Errors
    /// Errors of CUDA, and of `Turns::take`.
    pub fn finish(&self) -> Result<()> {
        self.check_process()?;
        let _turn = self.turns.take(&format!("{}.close", self.class))?;
        self.uses().iter().try_for_each(Mark::synchronize)
    }

    /// An object on a GPU is its process's own.
    fn check_process(&self) -> Result<()> {
        match self.device() {
            Device::Gpu(gpu) if gpu.forks != fork::generation() => {
                crate::device::gpu(gpu.index).map(drop) // which says so
            }
            _ => Ok(()),
        }
    }

    /// Has a call on this stream come after those before it on others.
    pub(super) fn precede(&self, stream: Stream) -> Result<()> {
        let mut uses = self.uses();
        uses.retain(|mark| !mark.has_passed());
        uses.iter().try_for_each(|mark| mark.precede(stream))
    }

    fn used_until(&self, mark: Mark) {
        let mut uses = self.uses();
        uses.retain(|it| it.order() != mark.order());
        uses.push(mark);
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let uses = self.uses.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut uses = mem::take(uses);
        uses.retain(|mark| !mark.has_passed());
        if let Some(instance) = self.instance.take() {
            match uses.is_empty() {
                _ if self.turns.are_lost() => mem::forget(instance),
                true => drop(instance),
                false => keep_until(uses, Box::new(instance)),
            }
        }
    }
}

impl Function {
    /// Puts the dtypes that a method's object was constructed for: before the dtypes of its arrays are known.
    pub fn fix_dtypes(&self, object: &Object, dtypes: &mut Dtypes) {
        dtypes.take(&object.dtypes, self.fixed_variables);
    }

    /// Checks all that is left to be checked of a call of a method, as [`Function::plan`] does.
    ///
    /// # Errors
    /// As there; `Kind::Value` also for arrays that are on another GPU than the object.
    pub fn plan_on(
        &self,
        object: &Arc<Object>,
        arrays: &Arrays,
        scalars: &mut Scalars,
        dtypes: Dtypes,
    ) -> Result<Plan<'_>> {
        object.check_process()?;
        for (slot, &(_, place)) in scalars[self.first_fixed()..].iter_mut().zip(&self.fixed) {
            *slot = Scalar::integer(object.sizes[place].into(), DType::I64).unwrap_or_default();
        }
        let mut plan = self.plan(arrays, scalars, dtypes)?;
        plan.device = object.device();
        let is_elsewhere =
            |(_, array): &(usize, &Array)| array.gpu().is_some_and(|gpu| Some(gpu) != object.gpu());
        if let Some((index, array)) = self.given(arrays).find(is_elsewhere) {
            let place =
                |gpu: Option<usize>| gpu.map_or("the CPU".to_owned(), |it| format!("GPU {it}"));
            let class = object.class;
            return Err(Error::wrong_value(format_args!(
                "{} is on {}, but the {class} is on {}; copy it there",
                self.name(index),
                place(array.gpu()),
                place(object.gpu())
            )));
        }
        plan.object = Some(object.clone());
        Ok(plan)
    }

    /// Refuses negative integers of a constructor that methods have as sizes.
    pub(super) fn check_sizes_of_methods(&self, scalars: &Scalars, dtypes: &Dtypes) -> Result<()> {
        let places = self.methods.iter().flat_map(|method| &method.fixed);
        for &(_, place) in places {
            let integer = place.checked_sub(self.spec.dimensions.len());
            let Some((index, name)) = integer.and_then(|it| integers(&self.spec).nth(it)) else {
                continue; // a dimension, of an array
            };
            let value = scalars[index].as_integer(dtypes.of(&self.spec.arguments[index]));
            if value < 0 {
                return Err(Error::wrong_value(format_args!(
                    "{name} is a size and cannot be {value}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the sizes that methods know of this constructor, in a call with these arguments.
    fn known_sizes(&self, arrays: &Arrays, scalars: &Scalars, dtypes: &Dtypes) -> Result<Vec<i64>> {
        let mut sizes = Sizes::default();
        self.measure(&mut sizes, arrays, scalars, dtypes, Leading::Adapted)?;
        let dimensions = (0..self.spec.dimensions.len()).map(|it| sizes.value(it));
        let integers = integers(&self.spec).map(|(index, _)| {
            let value = scalars[index].as_integer(dtypes.of(&self.spec.arguments[index]));
            i64::try_from(value).unwrap_or(i64::MAX) // of a uint64: no array is as large
        });
        Ok(dimensions.chain(integers).collect())
    }
}

impl Plan<'_> {
    /// The object that a constructor has made, once it has run.
    #[must_use]
    pub fn made(&self) -> Option<Arc<Object>> {
        self.made.get().cloned()
    }

    /// Returns the object that the body works on.
    pub(super) fn pointer(&self) -> Pointer {
        let object = self.object.as_ref().and_then(|it| it.instance.as_ref());
        object.map_or_else(Pointer::default, |it| Pointer(it.pointer))
    }

    /// One call of an object at a time; other calls need no turn.
    #[inline(never)]
    pub(super) fn turn(&self) -> Result<Option<Turn<'_>>> {
        let object = self.object.as_ref();
        object
            .map(|it| it.turns.take(self.function.spec.name))
            .transpose()
    }

    /// True if it makes or uses an object.
    pub(super) fn has_object(&self) -> bool {
        self.object.is_some() || self.function.spec.class.is_some()
    }

    /// A call on the GPU comes after those before it of the object; a constructor is part of no graph.
    #[inline(never)]
    pub(super) fn precede_object(&self, call: &mut StreamCall) -> Result<()> {
        match &self.object {
            Some(object) => object.precede(call.stream()),
            None => call.refuse_graph(FOR_OBJECTS),
        }
    }

    /// Makes an object of what a constructor has put there.
    #[inline(never)]
    pub(super) fn construct(
        &self,
        made: *mut c_void,
        arrays: &Arrays,
        scalars: &Scalars,
    ) -> Result<()> {
        let (Some(class), false) = (self.function.spec.class, made.is_null()) else {
            return Ok(());
        };
        let instance = Instance {
            pointer: made,
            destroy: class.destroy,
            device: self.device,
            forks: fork::generation(),
        };
        let sizes = self.function.known_sizes(arrays, scalars, &self.dtypes)?;
        let object = Object {
            class: self.function.spec.name,
            instance: Some(instance),
            sizes,
            dtypes: self.dtypes,
            variables: self.function.spec.variables.len(),
            turns: Turns::default(),
            uses: Mutex::default(),
        };
        let _ = self.made.set(Arc::new(object)); // a constructor runs once
        Ok(())
    }

    /// A call on the GPU uses the object until it is done.
    #[inline(never)]
    pub(super) fn leave_object(&self, call: &StreamCall) -> Result<()> {
        let object = self.object.as_ref().or_else(|| self.made.get());
        if let (Some(object), Some(mark)) = (object, call.mark()?) {
            object.used_until(mark);
        }
        Ok(())
    }
}
