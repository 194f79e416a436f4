//! Steps before the passes, the same on both sides.

use core::mem::MaybeUninit;
use core::ptr;
use std::format;
use std::vec::Vec;

use super::host::run_host;
use super::parameters::Storage;
use super::state::{Scratch, State};
use super::{Check, MAX_SHARED, Mode, Parameters, Pipeline, Repeat, Slot, Unmet, Work};
use crate::call::{Call, Done, Failure};
use crate::row::{Status, Value};

/// So many bytes are little.
const LITTLE: usize = 1 << 16;

/// Scratch memory on the heap.
type Heap = Vec<Vec<MaybeUninit<u128>>>;

/// Runs a pass of a pipeline, by its place. The parameters must match the pipeline.
type Run = unsafe fn(&Pipeline, usize, &mut Call<'_>, &Parameters) -> Done;

/// Runs all passes with their parameters.
///
/// # Safety
/// The values must match the pipeline's declaration.
#[inline(always)] // once for each side
pub unsafe fn run_passes(
    pipeline: &Pipeline,
    call: &mut Call<'_>,
    values: &[Value],
    scratch: Scratch,
    run: Run,
) -> Done {
    let mut storage = Storage::new();
    let mut parameters = Parameters::new(pipeline.slots, &mut storage);
    for (index, value) in values.iter().enumerate() {
        let skipped = if index < pipeline.state.start {
            0
        } else {
            pipeline.state.len()
        };
        // SAFETY: the caller's.
        unsafe { argument(&pipeline.slots[index + skipped], &mut parameters, value) }?;
    }
    if !pipeline.state.is_empty() {
        // SAFETY: the caller's: it is the call of a method.
        unsafe { State::put(pipeline, call, &mut parameters) };
    }
    // SAFETY: all arguments are there.
    unsafe {
        if let Some(check) = pipeline.check {
            meet(pipeline, check, &parameters)?;
        }
        if let Some(host) = pipeline.host {
            run_host(host, pipeline.function, call, &parameters)?;
        }
        match pipeline.slots.len() == values.len() + pipeline.state.len() {
            true => run_with(pipeline, call, &parameters, run), // as mostly
            false => with_scratch(pipeline, call, &mut parameters, scratch, run),
        }
    }
}

/// Runs the passes with memory for the slots behind the arguments.
///
/// # Safety
/// The parameters must match the pipeline, and the arguments' have been put.
#[inline(never)] // few functions have any
unsafe fn with_scratch(
    pipeline: &Pipeline,
    call: &mut Call<'_>,
    parameters: &mut Parameters,
    scratch: Scratch,
    run: Run,
) -> Done {
    let mut heap = Heap::new(); // as long as the passes run
    let first = pipeline.arguments + pipeline.state.len();
    // SAFETY: the caller's; then the extents are there, and then the memory.
    unsafe {
        (pipeline.shapes)(parameters);
        let mut made = State::default();
        for slot in first..first + pipeline.makes {
            made.add(pipeline, slot, parameters, call, scratch)?;
        }
        for slot in first + pipeline.makes..pipeline.slots.len() {
            if pipeline.slots[slot].mode == Mode::counter {
                parameters.set_counter(slot, 0);
                continue;
            }
            let address = memory(pipeline, slot, parameters, call, (scratch, &mut heap))?;
            parameters.set_address(slot, address);
        }
        repeat(pipeline, call, parameters, run)?;
        if pipeline.makes > 0 {
            call.set_object(made.into_object());
        }
    }
    Ok(())
}

/// Runs the passes, some of them several times: neighbours of one number together.
///
/// # Safety
/// As for [`run_with`].
unsafe fn repeat(
    pipeline: &Pipeline,
    call: &mut Call<'_>,
    parameters: &mut Parameters,
    run: Run,
) -> Done {
    let slot_of = |pass: usize| Some(pipeline.passes.get(pass)?.repeat?.slot);
    let mut pass = 0;
    while pass < pipeline.passes.len() {
        let first = pass;
        pass += 1;
        let Some(Repeat { slot, range }) = pipeline.passes[first].repeat else {
            // SAFETY: the caller's, here and below.
            unsafe { run(pipeline, first, call, parameters) }?;
            continue;
        };
        while slot_of(pass) == Some(slot) {
            pass += 1;
        }
        for number in unsafe { range(parameters) } {
            parameters.set_counter(slot, number);
            (first..pass).try_for_each(|pass| unsafe { run(pipeline, pass, call, parameters) })?;
            if call.interrupted() {
                return Err(Failure::interrupted());
            }
        }
    }
    Ok(())
}

/// # Safety
/// The parameters must match the pipeline, with memory for each.
#[inline(always)] // and with it what `run` is
unsafe fn run_with(
    pipeline: &Pipeline,
    call: &mut Call<'_>,
    parameters: &Parameters,
    run: Run,
) -> Done {
    // SAFETY: the caller's.
    (0..pipeline.passes.len()).try_for_each(|pass| unsafe { run(pipeline, pass, call, parameters) })
}

/// Refuses a call that does not meet the conditions of the declaration.
///
/// # Safety
/// All arguments must have been put.
#[inline(never)] // few functions have any
unsafe fn meet(pipeline: &Pipeline, check: Check, parameters: &Parameters) -> Done {
    // SAFETY: the caller's.
    let Some(Unmet { condition, message }) = (unsafe { check(parameters) }) else {
        return Ok(());
    };
    let message = message.map_or_else(
        || format!("{} needs {condition}", pipeline.function),
        |message| format!("{}(): {message}", pipeline.function),
    );
    Err(Failure::new(Status::Value, message))
}

/// The memory of a slot.
///
/// # Safety
/// Its extents must have been put.
unsafe fn memory(
    pipeline: &Pipeline,
    slot: usize,
    parameters: &Parameters,
    call: &mut Call<'_>,
    (scratch, heap): (Scratch, &mut Heap),
) -> Result<*mut u8, Failure> {
    // SAFETY: the caller's.
    let bytes = unsafe { parameters.bytes_of(slot) };
    let bytes = bytes.ok_or_else(|| {
        let (name, function) = (pipeline.slots[slot].name, pipeline.function);
        let message = format!("cannot allocate the scratch memory {name} of {function}");
        Failure::new(Status::Memory, message)
    })?;
    if scratch == Scratch::OnCpu && bytes <= LITTLE {
        let mut block = Vec::new();
        if block.try_reserve_exact(bytes.div_ceil(16)).is_ok() {
            heap.push(block);
            let block = heap.last_mut().map(Vec::as_mut_ptr);
            return Ok(block.map_or(ptr::null_mut(), <*mut _>::cast));
        }
    }
    match bytes {
        0 => Ok(ptr::null_mut()),
        _ => Ok(call.scratch(bytes)?.cast()),
    }
}

/// # Safety
/// As for [`run_passes`].
pub unsafe fn argument(slot: &Slot, parameters: &mut Parameters, value: &Value) -> Done {
    if slot.is_index {
        // SAFETY: an int64.
        let number = unsafe { value.data.cast::<i64>().read_unaligned() };
        if number < 0 {
            return Err(no_size(slot, number));
        }
    }
    // SAFETY: the caller's.
    unsafe { parameters.put(slot, value) };
    Ok(())
}

#[cold]
fn no_size(slot: &Slot, number: i64) -> Failure {
    let message = format!("{} is a size and cannot be {number}", slot.name);
    Failure::new(Status::Value, message)
}

/// Returns the work of a pass, if it can be done.
///
/// # Safety
/// The parameters must match the pipeline.
pub unsafe fn work(
    pipeline: &Pipeline,
    pass: usize,
    parameters: &Parameters,
) -> Result<Work, Failure> {
    // SAFETY: the caller's.
    let work = unsafe { (pipeline.passes[pass].work)(parameters) };
    if work.shared > MAX_SHARED {
        return Err(too_much_shared(pipeline, work));
    }
    Ok(work)
}

#[cold]
fn too_much_shared(pipeline: &Pipeline, work: Work) -> Failure {
    let message = format!(
        "{} needs {} bytes of shared memory for a block, which has {MAX_SHARED}",
        pipeline.function, work.shared
    );
    Failure::new(Status::Value, message)
}
