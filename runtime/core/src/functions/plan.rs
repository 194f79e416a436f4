//! A call that has passed all checks.

use std::sync::{Arc, OnceLock};

use cuvec_spec::DType;

use super::arguments::{Arrays, Scalars};
use super::dtypes::Dtypes;
use super::function::Function;
use super::object::Object;
use super::scalar::Scalar;
use super::shapes::{Leading, Sizes};
use crate::array::Array;
use crate::device::Device;
use crate::error::Result;
use crate::memory::{Block, MemoryKind};
use crate::{array, check, shape};

/// Rest of a call after its checks.
pub struct Plan<'f> {
    pub(super) function: &'f Function,
    pub(super) dtypes: Dtypes,
    pub(super) device: Device,
    /// Further work, for few calls.
    pub(super) adaptation: Option<Box<Adaptation>>,
    /// The results that the caller has not passed, in their order, but for scalars.
    pub pending: Vec<PendingResult>,
    /// Those that are saved for the derivative, where nobody wants them: they get memory of the call.
    pub(super) unsaved: Vec<PendingResult>,
    /// Object that a method works on.
    pub(super) object: Option<Arc<Object>>,
    /// Object that a constructor makes.
    pub(super) made: OnceLock<Arc<Object>>,
}

/// Work for a call besides its body.
pub(super) struct Adaptation {
    /// Arrays to copy into the order of C, at the places of their arguments.
    pub views: Box<[Option<Array>]>,
    /// The shape of the loop around the body; empty if there is none.
    pub looped: Vec<usize>,
    /// The shape that arrays are broadcast to by a walk, in which the loop is then.
    pub walked: Option<Vec<usize>>,
}

/// A result that is to be allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingResult {
    pub argument: usize,
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub bytes: usize,
}

/// A result that is a scalar, or how much there is of one `at most n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarResult {
    pub argument: usize,
    pub dtype: DType,
    pub value: Scalar,
}

impl Function {
    /// Checks all that is left to be checked of a call with these arguments, as its body takes them or
    /// as they can be adapted.
    ///
    /// # Errors
    /// `Kind::Value` for arrays of a wrong shape or layout, for arrays that overlap, are on two
    /// devices, or are read-only and to be written.
    #[inline]
    pub fn plan(&self, arrays: &Arrays, scalars: &Scalars, dtypes: Dtypes) -> Result<Plan<'_>> {
        let adapted = match self.fit(arrays) {
            true => None,
            false => self.adapt(arrays, scalars, dtypes)?,
        };
        let plan = match adapted {
            Some(plan) => plan,
            None => {
                let mut pending = Vec::new();
                match self.check(arrays, scalars, &dtypes, &mut pending) {
                    Ok(device) => Plan::new(self, dtypes, device, None, pending),
                    // Arrays that overlap, or are not aligned, may be copied.
                    Err(error) => self.adapt(arrays, scalars, dtypes)?.ok_or(error)?,
                }
            }
        };
        plan.check_architecture()?;
        Ok(plan)
    }

    /// Returns the [`plan`](Self::plan) of arrays that are on this device, as the body takes them.
    ///
    /// # Errors
    /// As for [`plan`](Self::plan).
    pub(super) fn plan_as_it_is(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: Dtypes,
        device: Device,
    ) -> Result<Plan<'_>> {
        let mut pending = Vec::new();
        self.check(arrays, scalars, &dtypes, &mut pending)?;
        let plan = Plan::new(self, dtypes, device, None, pending);
        plan.check_architecture()?;
        Ok(plan)
    }

    /// The device to work on, and the results that are pending.
    fn check(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: &Dtypes,
        pending: &mut Vec<PendingResult>,
    ) -> Result<Device> {
        let mut sizes = Sizes::default();
        self.measure(&mut sizes, arrays, scalars, dtypes, Leading::Declared)?;
        for (argument, declared) in self.results() {
            if arrays[argument].is_none() && !declared.is_number {
                let shape = self.shape_of(&sizes, argument, arrays)?;
                pending.push(PendingResult::new(argument, dtypes.of(declared), shape)?);
            }
        }
        self.check_memory(arrays)?;
        array::common_device(arrays.iter().flatten().copied())
    }

    /// Checks that written arrays may be, and are apart from all others.
    pub(super) fn check_memory(&self, arrays: &Arrays) -> Result<()> {
        for index in self.written.iter() {
            if let Some(array) = arrays[index] {
                check::writable(|| self.name(index), array)?;
            }
        }
        for second in self.arrays.iter() {
            // Arrays that are only read may overlap.
            let others = match self.written.has(second) {
                true => self.arrays,
                false => self.written,
            };
            for first in others.before(second).iter() {
                if let (Some(x), Some(y)) = (arrays[first], arrays[second]) {
                    check::disjoint(|| [self.name(first), self.name(second)], x, y)?;
                }
            }
        }
        Ok(())
    }
}

impl<'f> Plan<'f> {
    #[inline]
    fn check_architecture(&self) -> Result<()> {
        let spec = &self.function.spec;
        if let (Some(architectures), Device::Gpu(gpu)) = (spec.architectures, self.device) {
            check::compiled_for(spec.name, architectures, gpu.index, gpu.capability)?;
        }
        Ok(())
    }

    /// A plan with results that are pending, the saved ones last.
    pub(super) fn new(
        function: &'f Function,
        dtypes: Dtypes,
        device: Device,
        adaptation: Option<Box<Adaptation>>,
        mut pending: Vec<PendingResult>,
    ) -> Self {
        let is_saved = |it: &PendingResult| function.spec.arguments[it.argument].is_saved;
        let unsaved = match pending.iter().position(is_saved) {
            Some(first) => pending.split_off(first),
            None => Vec::new(),
        };
        Self {
            function,
            dtypes,
            device,
            adaptation,
            pending,
            unsaved,
            object: None,
            made: OnceLock::new(),
        }
    }
}

impl Adaptation {
    pub fn not_copied<'a>(&self, arrays: &Arrays<'a>) -> Vec<Option<&'a Array>> {
        let views = self.views.iter().zip(arrays);
        views
            .map(|(view, array)| array.filter(|_| view.as_ref().is_none_or(Array::is_contiguous)))
            .collect()
    }

    pub fn is_nothing(&self) -> bool {
        self.looped.is_empty() && self.walked.is_none() && self.views.iter().all(Option::is_none)
    }
}

impl Plan<'_> {
    /// Checks whether an argument is copied into the order of C.
    pub(super) fn copies(&self, index: usize) -> bool {
        let adaptation = self.adaptation.as_ref();
        adaptation.is_some_and(|it| it.views[index].is_some())
    }

    /// True if the body finds elements by a walk.
    pub(super) fn walks(&self) -> bool {
        let adaptation = self.adaptation.as_ref();
        adaptation.is_some_and(|it| it.walked.is_some())
    }
}

/// The arrays of a call, and views in their places where there are any.
pub(super) fn with_views<'a>(
    arrays: &Arrays<'a>,
    views: &'a [Option<Array>],
) -> Vec<Option<&'a Array>> {
    let views = views.iter().zip(arrays);
    views
        .map(|(view, array)| view.as_ref().or(*array))
        .collect()
}

impl PendingResult {
    #[inline(never)]
    pub(super) fn new(argument: usize, dtype: DType, shape: Vec<usize>) -> Result<Self> {
        Ok(Self {
            argument,
            dtype,
            bytes: shape::bytes(&shape, dtype)?,
            shape,
        })
    }

    /// Memory for it, where the arguments of the call are.
    ///
    /// # Errors
    /// `Kind::Memory` when there is not enough.
    pub fn allocate(&self, plan: &Plan, arrays: &Arrays) -> Result<Arc<Block>> {
        match plan.device {
            Device::Cpu => Block::allocate(self.bytes, MemoryKind::Managed),
            Device::Gpu(gpu) => {
                let near = arrays.iter().flatten().any(|array| array.is_large_on_gpu());
                let expected = plan.function.expectation(self.argument);
                Block::result(gpu, self.bytes, expected, near)
            }
        }
    }
}
