//! Calls of element-wise functions whose arrays are not all contiguous and of one shape: their body goes to the elements
//! where they are. On the CPU it gets those that are apart together, a part of a row at a time.

use core::mem::MaybeUninit;
use core::ops::Range;
use core::slice;
use std::sync::{Mutex, PoisonError};
use std::vec;
use std::vec::Vec;

use super::panics::guarded;
use super::parameters::{MAX_BYTES, Storage};
use super::prepare::argument;
use super::state::launch;
use super::{Mode, Parameters, Pass, Pipeline, Slot, Unit, WARP};
use crate::call::{Call, Done};
use crate::grid::BLOCK;
use crate::grid::walk::STRIDES;
use crate::row::{MAX_RANK, Value, c};

/// Bytes of an array that the CPU copies at a time: with as many of the others they stay in its first cache.
const TOGETHER: usize = 2048;

/// Elements that a thread of the CPU takes at least.
const SHARE: usize = 1 << 15;

/// Elements of a walk through one dimension at most.
const MOST: usize = 1 << 30;

const _: () = assert!(size_of::<c::Walk>() <= STRIDES && STRIDES.is_multiple_of(16));

impl Pipeline {
    /// Elements that a thread of the GPU takes where a walk leads it; 0 if the function takes none: what it checks first, it
    /// knows of whole arrays alone.
    #[must_use]
    pub const fn lanes_of_walk(&self) -> i32 {
        let is_alone = self.check.is_none()
            && self.host.is_none()
            && self.slots.len() == self.arguments
            && bytes_of_walk(self.slots.len()) + super::parameters::end_of(self.slots) <= MAX_BYTES;
        match self.passes {
            [pass] if is_alone && matches!(pass.unit, Unit::Elements) => {
                (pass.per_block / BLOCK as usize) as i32
            }
            _ => 0,
        }
    }
}

impl Pass {
    /// Bytes of the walk that one of its kernels is given before these parameters.
    pub fn walk_before(&self, kernel: usize, slots: &[Slot]) -> usize {
        match self.unit {
            Unit::Elements if kernel == 1 => bytes_of_walk(slots.len()),
            _ => 0,
        }
    }
}

/// Bytes of a [`Walk`](crate::grid::walk::Walk).
const fn bytes_of_walk(slots: usize) -> usize {
    STRIDES + MAX_RANK * slots * size_of::<i64>()
}

/// Puts the parameters of a pipeline that has arguments alone.
///
/// # Safety
/// The values must match the pipeline's declaration.
unsafe fn put(pipeline: &Pipeline, parameters: &mut Parameters, values: &[Value]) -> Done {
    let mut all = pipeline.slots.iter().zip(values);
    // SAFETY: the caller's.
    all.try_for_each(|(slot, value)| unsafe { argument(slot, parameters, value) })
}

/// The bytes from an element to the next one, for each dimension of a walk; nothing for a scalar and for None.
///
/// # Safety
/// The value must be of a call with a walk of this rank, which lasts.
unsafe fn strides_of<'a>(value: &Value, rank: usize) -> &'a [i64] {
    match value.strides.is_null() {
        true => &[],
        // SAFETY: the caller's.
        false => unsafe { slice::from_raw_parts(value.strides, rank) },
    }
}

/// # Safety
/// As for [`run_passes`](super::prepare::run_passes), in a call with this walk, which is one of the GPU's.
#[inline(never)] // most calls have none
pub unsafe fn on_gpu(
    pipeline: &Pipeline,
    call: &mut Call<'_>,
    values: &[Value],
    walk: &c::Walk,
) -> Done {
    let mut storage = Storage::new();
    let mut parameters = Parameters::new(pipeline.slots, &mut storage);
    // SAFETY: the caller's.
    unsafe {
        put(pipeline, &mut parameters, values)?;
        let strides = values.iter().map(|it| strides_of(it, walk.rank as usize));
        start(&pipeline.passes[0], call, &parameters, walk, strides)
    }
}

/// Launches the kernel that walks.
///
/// # Safety
/// The parameters must match the pass, and the walk be through their arrays, with these strides of each.
unsafe fn start<S: AsRef<[i64]>>(
    pass: &Pass,
    call: &mut Call<'_>,
    parameters: &Parameters,
    walk: &c::Walk,
    strides: impl ExactSizeIterator<Item = S>,
) -> Done {
    let count = strides.len();
    let mut bytes = vec![MaybeUninit::new(0_u8); bytes_of_walk(count)];
    // SAFETY: the front of these bytes; the parameters are those that the macro gave the kernel.
    unsafe {
        let memory = bytes.as_mut_ptr();
        memory.cast::<c::Walk>().write_unaligned(*walk);
        let places = memory.add(STRIDES).cast::<i64>();
        for (index, strides) in strides.enumerate() {
            for (axis, &stride) in strides.as_ref().iter().enumerate() {
                places.add(axis * count + index).write_unaligned(stride);
            }
        }
        bytes.extend_from_slice(parameters.bytes());
        let blocks = (walk.threads as usize).div_ceil(BLOCK as usize);
        let grid = [[blocks, 1], [BLOCK as usize, 1]];
        launch(call, &pass.kernels[1], grid, 0, &bytes)
    }
}

/// Launches a pass over contiguous arrays that do not all begin at the same place of a pack: neighbours have elements one after
/// the other, where each would load one after the other otherwise. None if packs are of all arrays, or elements too many.
///
/// # Safety
/// The parameters must match the pipeline.
pub unsafe fn without_packs(
    pipeline: &Pipeline,
    pass: &Pass,
    call: &mut Call<'_>,
    parameters: &Parameters,
    count: usize,
) -> Option<Done> {
    let slots = pipeline.slots.iter().enumerate();
    let arrays = slots.filter(|(_, slot)| slot.mode.is_array());
    // SAFETY: the caller's.
    let mut starts =
        arrays.map(|(index, slot)| (unsafe { parameters.address(index) }.addr(), slot.size));
    if starts.clone().all(|(start, _)| start.is_multiple_of(16)) {
        return None; // as mostly
    }
    let lanes = pass.per_block / BLOCK as usize;
    let place = |(start, size): (usize, usize)| (start % size, start / size % lanes);
    let first = starts.find(|it| it.0 != 0).map(place);
    if lanes == 1 || count > MOST || starts.all(|it| it.0 == 0 || Some(place(it)) == first) {
        return None;
    }
    let warps = count.div_ceil(WARP * lanes) as u32;
    let mut walk = c::Walk {
        rank: 1,
        threads: warps * WARP as u32,
        tiles: [warps, 1],
        width: 5, // a warp
        ..Default::default()
    };
    walk.counts[0] = count as i64;
    let strides = pipeline.slots.iter().map(|slot| {
        [if slot.mode.is_array() {
            slot.size as i64
        } else {
            0
        }]
    });
    // SAFETY: the caller's.
    Some(unsafe { start(pass, call, parameters, &walk, strides) })
}

/// # Safety
/// As for [`run_passes`](super::prepare::run_passes), in a call with this walk.
#[inline(never)] // most calls have none
pub unsafe fn on_cpu(
    pipeline: &Pipeline,
    call: &mut Call<'_>,
    values: &[Value],
    walk: &c::Walk,
) -> Done {
    let mut storage = Storage::new();
    let mut parameters = Parameters::new(pipeline.slots, &mut storage);
    // SAFETY: the caller's.
    unsafe { put(pipeline, &mut parameters, values) }?;
    let pass = &pipeline.passes[0];
    let counts = &walk.counts[..walk.rank as usize];
    let mut arrays = Vec::with_capacity(values.len());
    for (index, (slot, value)) in pipeline.slots.iter().zip(values).enumerate() {
        // SAFETY: the caller's.
        let strides = unsafe { strides_of(value, counts.len()) };
        if let &[step, ..] = strides {
            arrays.push(Array {
                index,
                slot,
                strides,
                step: step as isize,
                is_written: pass.writes >> index & 1 != 0,
            });
        }
    }
    let walked = Walked {
        pass,
        parameters: &parameters,
        counts,
        arrays,
    };
    let count = counts.iter().product::<i64>() as usize;
    let tasks = count.div_ceil(SHARE);
    if tasks <= 1 {
        // SAFETY: the caller's.
        unsafe { walked.run(0..count) };
        return Ok(());
    }
    let stopped = Mutex::new(None);
    call.parallel(tasks, &|task| {
        let elements = task * SHARE..count.min((task + 1) * SHARE);
        // SAFETY: the caller's; each task has elements of its own.
        if let Err(failure) = guarded(|| unsafe { walked.run(elements) }) {
            *stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
    })?;
    let stopped = stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.map_or(Ok(()), Err)
}

/// Shared by the tasks of a call.
struct Walked<'a> {
    pass: &'a Pass,
    parameters: &'a Parameters<'a>,
    counts: &'a [i64],
    arrays: Vec<Array<'a>>,
}

struct Array<'a> {
    index: usize,
    slot: &'a Slot,
    strides: &'a [i64],
    /// Bytes from an element of a row to the next one.
    step: isize,
    is_written: bool,
}

impl Walked<'_> {
    /// Runs the body for some elements, in the order of the walk.
    ///
    /// # Safety
    /// No other thread may have them. A kernel that stops panics.
    unsafe fn run(&self, mut elements: Range<usize>) {
        let widest = self.arrays.iter().map(|it| it.slot.size).max().unwrap_or(1);
        let most = (TOGETHER / widest).max(1);
        let mut copies = vec![Vec::new(); self.arrays.len()];
        let mut storage = Storage::new();
        let mut own = self.parameters.copied(&mut storage);
        let mut index = self.index_of(elements.start);
        while !elements.is_empty() {
            let count = elements
                .len()
                .min(most)
                .min(self.counts[0] as usize - index[0]);
            for (array, copy) in self.arrays.iter().zip(&mut copies) {
                // SAFETY: elements of the array.
                let start = unsafe { array.bring(self.parameters, index, copy, count) };
                if array.slot.rank.is_none() {
                    own.set_shape(array.index, &[count]);
                }
                // SAFETY: so many elements are there.
                unsafe { own.set_address(array.index, start) };
            }
            // SAFETY: as the pass is run with contiguous arrays of one shape.
            unsafe { (self.pass.run)(&own, count..count + 1, 0) };
            for (array, copy) in self.arrays.iter().zip(&copies) {
                // SAFETY: elements of the array, which this thread has.
                unsafe { array.take_back(self.parameters, index, copy, count) };
            }
            elements.start += count;
            self.advance(&mut index, count);
        }
    }

    /// Where an element is, by its number.
    fn index_of(&self, mut number: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        for (place, &count) in index.iter_mut().zip(self.counts) {
            *place = number % count as usize;
            number /= count as usize;
        }
        index
    }

    /// Goes so many elements on, not beyond the row.
    fn advance(&self, index: &mut [usize; MAX_RANK], by: usize) {
        index[0] += by;
        for (axis, &count) in self.counts.iter().enumerate() {
            if index[axis] < count as usize || axis + 1 == self.counts.len() {
                return;
            }
            index[axis] = 0;
            index[axis + 1] += 1;
        }
    }
}

impl Array<'_> {
    /// Where the element with this index is.
    ///
    /// # Safety
    /// The address of the array must have been put.
    unsafe fn at(&self, parameters: &Parameters, index: [usize; MAX_RANK]) -> *mut u8 {
        let steps = index.iter().zip(self.strides);
        let offset: i64 = steps.map(|(&place, stride)| place as i64 * stride).sum();
        // SAFETY: the caller's.
        unsafe { parameters.address(self.index) }.wrapping_offset(offset as isize)
    }

    /// Checks whether elements that begin here lie as a body takes them.
    fn is_dense(&self, start: *mut u8) -> bool {
        let alignment = 1 << self.slot.size.trailing_zeros().min(4); // or more than an element's
        self.step == self.slot.size as isize && start.addr().is_multiple_of(alignment)
    }

    /// Returns where some elements lie one after the other: where they are, or a copy.
    ///
    /// # Safety
    /// There must be so many.
    unsafe fn bring(
        &self,
        parameters: &Parameters,
        index: [usize; MAX_RANK],
        copy: &mut Vec<u128>,
        count: usize,
    ) -> *mut u8 {
        // SAFETY: the caller's.
        unsafe {
            let start = self.at(parameters, index);
            if self.is_dense(start) {
                return start;
            }
            let bytes = (count * self.slot.size).next_multiple_of(size_of::<u128>());
            copy.resize(copy.len().max(bytes / size_of::<u128>()), 0);
            let copy = copy.as_mut_ptr().cast::<u8>();
            if !matches!(self.slot.mode, Mode::fresh | Mode::out) {
                let size = self.slot.size;
                moved((start, self.step), (copy, size as isize), size, count);
            }
            copy
        }
    }

    /// Writes a copy's elements to where they were.
    ///
    /// # Safety
    /// As for [`bring`](Self::bring), and no other thread has them.
    unsafe fn take_back(
        &self,
        parameters: &Parameters,
        index: [usize; MAX_RANK],
        copy: &[u128],
        count: usize,
    ) {
        // SAFETY: the caller's.
        unsafe {
            let start = self.at(parameters, index);
            if self.is_written && !self.is_dense(start) {
                let size = self.slot.size;
                let copy = copy.as_ptr().cast_mut().cast();
                moved((copy, size as isize), (start, self.step), size, count);
            }
        }
    }
}

/// Copies elements of so many bytes, which are some bytes apart on either side.
///
/// # Safety
/// They must be there, and not be the same.
unsafe fn moved(from: (*mut u8, isize), to: (*mut u8, isize), size: usize, count: usize) {
    /// # Safety
    /// As above.
    unsafe fn as_numbers<T>(from: (*mut u8, isize), to: (*mut u8, isize), count: usize) {
        for number in 0..count as isize {
            let from = from.0.wrapping_offset(number * from.1);
            let to = to.0.wrapping_offset(number * to.1);
            // SAFETY: the caller's.
            unsafe {
                let element = from.cast::<MaybeUninit<T>>().read_unaligned();
                to.cast::<MaybeUninit<T>>().write_unaligned(element);
            }
        }
    }
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => as_numbers::<u8>(from, to, count),
            2 => as_numbers::<u16>(from, to, count),
            4 => as_numbers::<u32>(from, to, count),
            8 => as_numbers::<u64>(from, to, count),
            16 => as_numbers::<u128>(from, to, count),
            _ => {
                for number in 0..count as isize {
                    let from = from.0.wrapping_offset(number * from.1);
                    let to = to.0.wrapping_offset(number * to.1);
                    from.copy_to_nonoverlapping(to, size);
                }
            }
        }
    }
}
