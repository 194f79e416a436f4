//! What comes before the passes, the same on both sides.

use core::mem::MaybeUninit;
use core::ptr;
use std::format;
use std::vec::Vec;

use super::{MAX_SHARED, Mode, Plan, Slot, Unmet, Words, Work};
use crate::row::{Call, Done, Failure, Status, Value};

/// Parameters of a function at most: those of a declaration, and scratch memory.
pub const MAX_SLOTS: usize = 24;

/// As many as most functions have at most: a small call is quick.
pub const FEW: usize = 4;

/// Where scratch memory is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scratch {
    /// In memory of the host's, or where there is little of it, on the heap.
    OnCpu,
    OnGpu,
}

/// So many bytes are little.
const LITTLE: usize = 1 << 16;

/// Scratch memory on the heap.
type Heap = Vec<Vec<MaybeUninit<u128>>>;

/// Calls `f` with the words of all slots.
///
/// # Safety
/// The values must be those of the plan's declaration.
pub unsafe fn with_words(
    plan: &Plan,
    call: &mut dyn Call,
    values: &[Value],
    scratch: Scratch,
    f: impl FnOnce(&mut dyn Call, &[Words]) -> Done,
) -> Done {
    let count = plan.slots.len();
    let run = |words: &mut [Words]| {
        // SAFETY: the caller's.
        unsafe { fill(plan, call, values, words) }?;
        let heap = match words.len() == values.len() {
            true => Heap::new(), // as mostly
            false => take_scratch(plan, call, words, values.len(), scratch)?,
        };
        let done = f(call, words);
        drop(heap);
        done
    };
    if count <= FEW {
        with_room::<FEW>(count, run)
    } else {
        with_room::<MAX_SLOTS>(count, run)
    }
}

/// Calls `f` with the words of so many slots, which are `N` at most.
#[inline(never)] // the room for many is not taken for few
fn with_room<const N: usize>(count: usize, f: impl FnOnce(&mut [Words]) -> Done) -> Done {
    f(&mut [Words::default(); N][..count])
}

/// Gives the slots behind the arguments their memory. Returns what of it is on the heap.
#[inline(never)] // few functions have any
fn take_scratch(
    plan: &Plan,
    call: &mut dyn Call,
    words: &mut [Words],
    arguments: usize,
    scratch: Scratch,
) -> Result<Heap, Failure> {
    let mut heap = Heap::new();
    for (slot, words) in plan.slots.iter().zip(words).skip(arguments) {
        words.set_address(memory(plan, slot, words, call, (scratch, &mut heap))?);
    }
    Ok(heap)
}

/// # Safety
/// As for [`with_words`].
unsafe fn fill(plan: &Plan, call: &mut dyn Call, values: &[Value], words: &mut [Words]) -> Done {
    for ((slot, words), value) in plan.slots.iter().zip(words.iter_mut()).zip(values) {
        // SAFETY: the caller's.
        unsafe { argument(slot, words, value) }?;
    }
    // SAFETY: all arguments are there.
    unsafe {
        if let Some(unmet) = (plan.check)(words) {
            return Err(refusal(plan, &unmet));
        }
        if let Some(host) = plan.host {
            super::host::run(host, plan.function, call, words)?;
        }
        if plan.slots.len() > values.len() {
            (plan.shapes)(words);
        }
    }
    Ok(())
}

/// What the caller hears of a condition that does not hold.
#[cold]
fn refusal(plan: &Plan, Unmet { condition, message }: &Unmet) -> Failure {
    let message = message.map_or_else(
        || format!("{} needs {condition}", plan.function),
        |message| format!("{}(): {message}", plan.function),
    );
    Failure::new(Status::Value, message)
}

/// The memory of a slot.
fn memory(
    plan: &Plan,
    slot: &Slot,
    words: &Words,
    call: &mut dyn Call,
    (scratch, heap): (Scratch, &mut Heap),
) -> Result<*mut u8, Failure> {
    let bytes = bytes_of(slot, words).filter(|&bytes| isize::try_from(bytes).is_ok());
    let bytes = bytes.ok_or_else(|| {
        let (name, function) = (slot.name, plan.function);
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
/// As for [`with_words`].
unsafe fn argument(slot: &Slot, words: &mut Words, value: &Value) -> Done {
    if slot.mode == Mode::scalar {
        // SAFETY: a number of this size.
        unsafe { words.set_number(value.data.cast(), slot.size) };
        let number = words.integer();
        return match slot.is_index && number < 0 {
            true => Err(no_size(slot, number)),
            false => Ok(()),
        };
    }
    words.set_address(value.data.cast());
    match slot.rank {
        None => words.set_shape(&[value.size as usize]),
        Some(rank) => {
            for axis in 0..rank {
                // SAFETY: the array has this rank.
                words.set_extent(axis, unsafe { value.shape.add(axis).read() } as u64);
            }
        }
    }
    Ok(())
}

#[cold]
fn no_size(slot: &Slot, number: i64) -> Failure {
    let message = format!("{} is a size and cannot be {number}", slot.name);
    Failure::new(Status::Value, message)
}

/// Bytes of an array; none if they are too many to count.
pub fn bytes_of(slot: &Slot, words: &Words) -> Option<usize> {
    let shape = words.shape(slot.rank.unwrap_or(1));
    shape.iter().try_fold(slot.size, |bytes, &extent| {
        bytes.checked_mul(extent as usize)
    })
}

/// What a pass has to do, if it can.
///
/// # Safety
/// The words must be those of the plan.
pub unsafe fn work(plan: &Plan, pass: usize, words: &[Words]) -> Result<Work, Failure> {
    // SAFETY: the caller's.
    let work = unsafe { (plan.passes[pass].work)(words) };
    if work.shared > MAX_SHARED {
        return Err(too_much_shared(plan, work));
    }
    Ok(work)
}

#[cold]
fn too_much_shared(plan: &Plan, work: Work) -> Failure {
    let message = format!(
        "{} needs {} bytes of shared memory for a block, which has {MAX_SHARED}",
        plan.function, work.shared
    );
    Failure::new(Status::Value, message)
}
