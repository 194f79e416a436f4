//! Calls of constructors and methods.

use std::ffi::c_void;
use std::sync::Arc;

use cuvec_spec::DType;

use super::arguments::{Arrays, Scalars};
use super::dtypes::Dtypes;
use super::function::{Function, integers};
use super::object::{Instance, Object, Pointer, Turn};
use super::plan::Plan;
use super::scalar::Scalar;
use super::shapes::{Leading, Sizes};
use crate::array::Array;
use crate::error::{Error, Result};
use crate::gpu::graph::FOR_OBJECTS;
use crate::stream_call::StreamCall;

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
        let object = self.object.as_ref();
        object.map_or_else(Pointer::default, |it| it.pointer())
    }

    /// One call of an object at a time; other calls need no turn.
    #[inline(never)]
    pub(super) fn turn(&self) -> Result<Option<Turn<'_>>> {
        let object = self.object.as_ref();
        object
            .map(|it| it.turn(self.function.spec.name))
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
        let instance = Instance::new(made, class.destroy, self.device);
        let sizes = self.function.known_sizes(arrays, scalars, &self.dtypes)?;
        let object = Object::new(&self.function.spec, instance, sizes, self.dtypes);
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
