//! Declared functions that a body calls: inner calls, on the side of its call and in the order of its stream.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Arc;
use std::{ptr, slice};

use cuvec_spec::{Argument, DType, MAX_ARGUMENTS, Role, Spec, c};

use super::body::{self, Provider};
use super::dtypes::Dtypes;
use super::function::Function;
use super::plan::Plan;
use super::scalar::Scalar;
use super::values::{Folded, NONE, Strides};
use crate::array::{Array, Place};
use crate::check::{self, Fix};
use crate::device::{self, Device};
use crate::error::{Error, Kind, Result};
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::nvtx;
use crate::retained::Kept;
use crate::shape::InlineShape;

/// Calls by bodies, one in the other, on a thread at most. Stacks of 512 KiB, as threads of other libraries have, can take so many.
const MOST_NESTED: u32 = 32;

thread_local! {
    static NESTED: Cell<u32> = const { Cell::new(0) };
}

/// A call by a body, until it returns.
struct Nested;

impl Nested {
    fn enter() -> Result<Self> {
        let depth = NESTED.get();
        if depth == MOST_NESTED {
            return Err(Kind::Kernel(format!(
                "bodies call functions by `run` more than {MOST_NESTED} deep: does one of them call itself?"
            ))
            .into());
        }
        NESTED.set(depth + 1);
        Ok(Self)
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        NESTED.set(NESTED.get() - 1);
    }
}

/// Runs the function of this name. Nothing is touched before all checks have passed.
///
/// # Errors
/// `Kind::Type` where no such function takes such operands; what its checks and its body say, behind its name.
///
/// # Safety
/// Arrays must be memory of the provider's side, and scalars of the host.
pub(super) unsafe fn run(
    provider: &mut dyn Provider,
    name: &str,
    operands: &[c::Operand],
) -> Result<()> {
    let _nested = Nested::enter()?;
    let function = super::named(name)?.ok_or_else(|| {
        Error::wrong_type(format_args!(
            "the package has no function {name}, which a body calls"
        ))
    })?;
    // SAFETY: the caller's.
    unsafe { function.run_inner(provider, operands) }
}

/// The same error, which says in which function it was.
#[cold]
pub(super) fn behind(name: &str, error: &Error) -> Error {
    let text = format!("{name}(): {error}");
    match error.kind() {
        Kind::Type(_) => Kind::Type(text),
        Kind::Value(_) => Kind::Value(text),
        Kind::Overflow(_) => Kind::Overflow(text),
        Kind::Memory { .. } | Kind::Scratch(_) => Kind::Scratch(text),
        Kind::Interrupted => Kind::Interrupted,
        _ => Kind::Kernel(text),
    }
    .into()
}

impl Function {
    /// # Safety
    /// As for [`run`].
    pub(super) unsafe fn run_inner(
        &self,
        provider: &mut dyn Provider,
        operands: &[c::Operand],
    ) -> Result<()> {
        let function = self.as_inner();
        let _range = nvtx::range(self.spec.name)?;
        let mut arrays: [Option<Array>; MAX_ARGUMENTS] = std::array::from_fn(|_| None);
        let mut scalars = vec![Scalar::default(); self.scalar_count()];
        // SAFETY: the caller's.
        let plan = unsafe { function.plan_inner(provider, operands, &mut arrays, &mut scalars) };
        let plan = plan.map_err(|error| behind(self.spec.name, &error))?;
        let arrays = arrays.each_ref().map(Option::as_ref);
        // SAFETY: the caller's, and all is checked.
        unsafe { plan.run_inner(provider, &arrays[..self.spec.arguments.len()], &scalars) }
    }

    /// # Safety
    /// As for [`run`].
    unsafe fn plan_inner(
        &self,
        provider: &dyn Provider,
        operands: &[c::Operand],
        arrays: &mut [Option<Array>; MAX_ARGUMENTS],
        scalars: &mut [Scalar],
    ) -> Result<Plan<'_>> {
        self.check_operands(operands)?;
        let device = match provider.stream().is_null() {
            true => Device::Cpu,
            false => Device::Gpu(device::gpu(provider.gpu() as usize)?),
        };
        let given = operands.iter().zip(self.spec.arguments).enumerate();
        for (index, (operand, argument)) in given.clone() {
            if argument.role != Role::Scalar {
                // SAFETY: the caller's.
                arrays[index] = unsafe { array(self.name(index), argument, operand, &device)? };
            }
        }
        let arrays = arrays.each_ref().map(Option::as_ref);
        let arrays = &arrays[..self.spec.arguments.len()];
        let mut dtypes = Dtypes::default();
        for index in self.choosers() {
            // SAFETY: the caller's.
            let chosen = unsafe { scalar(&operands[index], 0, DType::I32) };
            let chosen = chosen.and_then(|it| usize::try_from(it.as_integer(DType::I32)).ok());
            let known = chosen.and_then(|it| self.choose_dtype(index, it, &mut dtypes));
            known.ok_or_else(|| self.wrong_scalar(index, "the index of one of its dtypes"))?;
        }
        self.dtypes(arrays, &mut dtypes)?;
        for (index, (operand, argument)) in given {
            if argument.role == Role::Scalar {
                // SAFETY: the caller's.
                unsafe { self.put_scalar(index, operand, dtypes.of(argument), scalars)? };
            }
        }
        self.plan_as_it_is(arrays, scalars, dtypes, device)
    }

    /// Checks that each argument and result has one, but for those that only a derivative sees.
    fn check_operands(&self, operands: &[c::Operand]) -> Result<()> {
        let Spec {
            arguments, class, ..
        } = &self.spec;
        if !self.counted.is_empty() || self.has_structs() || class.is_some() {
            return Err(Error::wrong_type(format_args!(
                "a body cannot call what constructs an object, takes structs, or finds the size of its results"
            )));
        }
        let saved = arguments.iter().filter(|it| it.is_saved).count();
        if !(arguments.len() - saved..=arguments.len()).contains(&operands.len()) {
            return Err(Error::wrong_type(format_args!(
                "has {} arguments and results, not {}",
                arguments.len() - saved,
                operands.len()
            )));
        }
        Ok(())
    }

    /// # Safety
    /// As for [`run`].
    unsafe fn put_scalar(
        &self,
        index: usize,
        operand: &c::Operand,
        dtype: DType,
        scalars: &mut [Scalar],
    ) -> Result<()> {
        let argument = &self.spec.arguments[index];
        let count = argument.items.max(1);
        if !operand.is_scalar() || operand.value.size != count as i64 {
            return Err(self.wrong_scalar(index, &format!("{count} of {}", dtype.name())));
        }
        for item in 0..count {
            // SAFETY: the caller's; there are so many.
            let value = unsafe { scalar(operand, item, dtype) };
            let value = value.ok_or_else(|| self.wrong_scalar(index, dtype.name()))?;
            let choices = argument.choices.len() as i128;
            if choices > 0 && !(0..choices).contains(&value.as_integer(dtype)) {
                return Err(self.wrong_scalar(index, "the index of one of its choices"));
            }
            match argument.items {
                0 => scalars[index] = value,
                _ => value.put(item, dtype, &mut scalars[self.slot_of_tuple(index)..]),
            }
        }
        Ok(())
    }

    #[cold]
    fn wrong_scalar(&self, index: usize, what: &str) -> Error {
        Error::wrong_type(format_args!(
            "{} must be a scalar: {what}",
            self.name(index)
        ))
    }
}

impl Plan<'_> {
    /// # Safety
    /// All is checked, and as [`run`] says.
    unsafe fn run_inner(
        &self,
        provider: &mut dyn Provider,
        arrays: &[Option<&Array>],
        scalars: &[Scalar],
    ) -> Result<()> {
        let function = self.function;
        if self.writes_only_empty_arrays(arrays) {
            return Ok(());
        }
        let unsaved = self.unsaved.iter().map(|result| {
            let address = provider.scratch(result.bytes.max(1))? as usize;
            Ok(on_side(
                &self.device,
                address,
                result.dtype,
                result.shape[..].into(),
            ))
        });
        let unsaved = unsaved.collect::<Result<Vec<_>>>()?;
        let mut all = [None; MAX_ARGUMENTS];
        let all = &mut all[..arrays.len()];
        all.copy_from_slice(arrays);
        for (result, array) in self.unsaved.iter().zip(&unsaved) {
            all[result.argument] = Some(array);
        }
        let mut shapes = (Folded::of(function), Strides::of(function));
        let mut values = [NONE; MAX_ARGUMENTS];
        let values = &mut values[..arrays.len()];
        self.put_values(values, all, scalars, &mut shapes);
        let variant = &function.spec.variants[self.dtypes.variant];
        let body = match self.device {
            Device::Cpu => variant.cpu,
            Device::Gpu(_) => variant.gpu,
        };
        let object = ptr::null_mut();
        // SAFETY: the caller's.
        unsafe { body::run(body, &mut InnerCall { provider, object }, values) }
    }
}

/// The operand as an array; none for None.
///
/// # Safety
/// As for [`run`].
unsafe fn array(
    name: &str,
    argument: &Argument,
    operand: &c::Operand,
    device: &Device,
) -> Result<Option<Array>> {
    let c::Operand {
        value,
        dtype,
        rank,
        is_writable,
    } = *operand;
    let (Ok(rank), Some(dtype)) = (usize::try_from(rank), DType::from_value(dtype)) else {
        return Err(Error::wrong_type(format_args!("{name} must be an array")));
    };
    if value.data.is_null() {
        return match argument.is_optional {
            true => Ok(None),
            false => Err(Error::wrong_type(format_args!(
                "{name} must be an array, not None"
            ))),
        };
    }
    // SAFETY: the caller's: as many as its rank.
    let sizes = unsafe { of_rank(value.shape, rank) };
    if sizes.iter().any(|size| *size < 0) {
        return Err(Error::wrong_value(format_args!(
            "{name} has a size below zero"
        )));
    }
    let shape = InlineShape::new(rank, |axis| sizes[axis] as usize);
    shape.bytes(dtype)?;
    let strides = (!value.strides.is_null()).then(|| {
        // SAFETY: the caller's: as many as its rank.
        let strides = unsafe { of_rank(value.strides, rank) };
        strides
            .iter()
            .map(|it| *it as isize * dtype.size() as isize)
            .collect()
    });
    let array = Array {
        strides,
        writable: is_writable != 0,
        ..on_side(device, value.data as usize, dtype, shape)
    };
    if argument.role.is_written() {
        check::writable(|| name, &array)?;
    }
    check::aligned(|| (name, Fix::of(argument.role)), &array)?;
    Ok(Some(array))
}

/// An array in memory of this side, to be written.
fn on_side(device: &Device, address: usize, dtype: DType, shape: InlineShape) -> Array {
    Array {
        address,
        dtype,
        shape,
        strides: None,
        writable: true,
        place: match device {
            Device::Cpu => Place::Host,
            Device::Gpu(gpu) => Place::Foreign { gpu: gpu.index },
        },
        ready: None,
    }
}

/// # Safety
/// There must be as many.
unsafe fn of_rank<'a>(numbers: *const i64, rank: usize) -> &'a [i64] {
    match rank {
        0 => &[], // which may be nowhere
        // SAFETY: the caller's.
        rank => unsafe { slice::from_raw_parts(numbers, rank) },
    }
}

/// The number at this place of the operand, in a dtype; none where that cannot hold it.
///
/// # Safety
/// There must be one.
unsafe fn scalar(operand: &c::Operand, item: usize, dtype: DType) -> Option<Scalar> {
    let from = DType::from_value(operand.dtype).filter(|_| operand.is_scalar())?;
    let mut number = Scalar::default();
    let size = from.size();
    let bytes = Scalar::bytes_of(slice::from_mut(&mut number));
    // SAFETY: the caller's.
    let given =
        unsafe { slice::from_raw_parts(operand.value.data.cast::<u8>().add(item * size), size) };
    bytes[..size].copy_from_slice(given);
    match (from.kind(), dtype.kind()) {
        ('c', 'c') => {
            let (real, imaginary) = number.as_complex(from);
            Scalar::complex(real, imaginary, dtype)
        }
        ('c', _) => None,
        ('f', 'f') => Scalar::real(number.as_real(from), dtype),
        ('f', 'c') => Scalar::complex(number.as_real(from), 0.0, dtype),
        ('f', _) => None,
        (_, 'f') => Scalar::real(number.as_integer(from) as f64, dtype),
        (_, 'c') => Scalar::complex(number.as_integer(from) as f64, 0.0, dtype),
        _ => Scalar::integer(number.as_integer(from), dtype),
    }
}

/// Services for the body of an inner call: the call's, but no object of it.
pub(super) struct InnerCall<'a> {
    pub provider: &'a mut dyn Provider,
    pub object: *mut c_void,
}

impl Provider for InnerCall<'_> {
    fn stream(&self) -> *mut c_void {
        self.provider.stream()
    }

    fn gpu(&self) -> i32 {
        self.provider.gpu()
    }

    fn report(&self) -> *mut c::ReportSlot {
        self.provider.report()
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void> {
        self.provider.scratch(bytes)
    }

    /// The call's own body may still use it.
    fn reuse_scratch(&mut self) {}

    fn watch(&mut self) -> &mut Watch {
        self.provider.watch()
    }

    fn object(&mut self) -> &mut *mut c_void {
        &mut self.object
    }

    fn allocate(&mut self, bytes: usize) -> Result<Arc<Block>> {
        self.provider.allocate(bytes)
    }

    fn keep(&mut self, kept: Kept) {
        self.provider.keep(kept);
    }

    fn adds_to(&mut self, array: usize) {
        self.provider.adds_to(array);
    }

    unsafe fn launch(&mut self, launch: &c::Launch) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { self.provider.launch(launch) }
    }

    unsafe fn run(&mut self, function: &str, operands: &[c::Operand]) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { run(self, function, operands) }
    }
}
