//! Calls of element-wise bodies whose arrays have strides, or are broadcast: the body finds elements where they are.

use cuvec_spec::{MAX_ARGUMENTS, MAX_RANK, Value, c};

use crate::array::Array;
use crate::error::{Kind, Result};
use crate::functions::body::{self, Provider};
use crate::functions::function::Arrays;
use crate::functions::plan::Plan;
use crate::shape;

/// Threads of a launch, and elements of its first dimension, at most: their indices have 32 bits.
const MOST: u64 = 1 << 31;

/// A dimension of all arrays of a call.
#[derive(Clone)]
struct Dimension {
    count: usize,
    /// Bytes from an element to the next one, for each argument.
    strides: [isize; MAX_ARGUMENTS],
}

/// What is the same for all parts of a call.
struct Walked<'a> {
    body: Option<c::Body>,
    lanes: usize,
    /// The arrays with their indices, those that are written first.
    arrays: Vec<(usize, &'a Array)>,
    written: usize,
}

impl Plan<'_> {
    /// Runs a body on arrays that are broadcast to this shape.
    ///
    /// # Safety
    /// As for [`body::run_walk`]; the values are of these arrays.
    #[cold]
    pub(super) unsafe fn run_walk<P: Provider>(
        &self,
        shape: &[usize],
        body: Option<c::Body>,
        provider: &mut P,
        values: &mut [Value],
        arrays: &Arrays,
    ) -> Result<()> {
        let function = self.function;
        let (written, read): (Vec<_>, Vec<_>) = function
            .given(arrays)
            .partition(|&(index, _)| function.written.has(index));
        let walked = Walked {
            body,
            lanes: function.spec.variants[self.dtypes.variant].lanes as usize,
            written: written.len(),
            arrays: [written, read].concat(),
        };
        let mut dimensions: Vec<_> = shape.iter().map(|&count| Dimension::of(count)).collect();
        for &(index, array) in &walked.arrays {
            let dense = || shape::strides(&array.shape, array.dtype).into();
            let strides = array.strides.clone().filter(|_| !self.copies(index));
            let strides: Box<[isize]> = strides.unwrap_or_else(dense);
            let own = array.shape.iter().zip(&strides).rev();
            for (dimension, (&size, &stride)) in dimensions.iter_mut().rev().zip(own) {
                dimension.strides[index] = if size == 1 { 0 } else { stride };
            }
        }
        walked.simplify(&mut dimensions, values);
        // SAFETY: the caller's.
        unsafe { walked.run(&dimensions, provider, values) }
    }
}

impl Dimension {
    fn of(count: usize) -> Self {
        Self {
            count,
            strides: [0; MAX_ARGUMENTS],
        }
    }
}

impl Walked<'_> {
    /// Puts dimensions into the order of memory, the innermost first, and makes one of those that can be.
    fn simplify(&self, dimensions: &mut Vec<Dimension>, values: &mut [Value]) {
        dimensions.retain(|it| it.count != 1);
        for dimension in &mut *dimensions {
            let mut strides = self.arrays.iter().map(|&(index, _)| dimension.strides[index]);
            if strides.find(|&it| it != 0).is_some_and(|it| it < 0) {
                self.advance(dimension, dimension.count as isize - 1, values);
                dimension.strides = dimension.strides.map(|it| -it);
            }
        }
        let distance = |it: &Dimension| -> Vec<_> {
            let arrays = self.arrays.iter();
            arrays.map(|&(index, _)| it.strides[index].unsigned_abs()).collect()
        };
        dimensions.sort_by_cached_key(distance);
        dimensions.dedup_by(|outer, inner| {
            let size = inner.count as isize;
            let follows = |&(index, _): &(usize, _)| {
                outer.strides[index] == inner.strides[index].wrapping_mul(size)
            };
            let is_one = self.arrays.iter().all(follows);
            inner.count *= if is_one { outer.count } else { 1 };
            is_one
        });
        if dimensions.is_empty() {
            dimensions.push(Dimension::of(1));
        }
    }

    /// Moves the first elements by so many of a dimension.
    fn advance(&self, dimension: &Dimension, by: isize, values: &mut [Value]) {
        for &(index, _) in &self.arrays {
            let data = &mut values[index].data;
            *data = data.wrapping_byte_offset(dimension.strides[index].wrapping_mul(by));
        }
    }

    /// # Safety
    /// As for [`body::run_walk`].
    unsafe fn run<P: Provider>(
        &self,
        dimensions: &[Dimension],
        provider: &mut P,
        values: &mut [Value],
    ) -> Result<()> {
        let count = dimensions.iter().map(|it| it.count).product::<usize>();
        if count == 0 || self.is_dense(dimensions, values) {
            for &(index, _) in &self.arrays {
                values[index].size = count as i64;
            }
            // SAFETY: the caller's.
            return unsafe { body::run(self.body, provider, values) };
        }
        let mut dimensions = dimensions.to_vec();
        let on_gpu = !provider.stream().is_null();
        if let Some(walk) = self.walk(&mut dimensions, values, on_gpu) {
            let mut strides = [[0; MAX_RANK]; MAX_ARGUMENTS];
            for &(index, _) in &self.arrays {
                let all = dimensions.iter().map(|it| it.strides[index] as i64);
                strides[index].iter_mut().zip(all).for_each(|(to, it)| *to = it);
                values[index].strides = strides[index].as_ptr();
            }
            // SAFETY: the caller's.
            return unsafe { body::run_walk(self.body, provider, values, &raw const walk) };
        }
        // In two parts.
        let Some(last) = dimensions.pop() else {
            return Ok(()); // there is one
        };
        let whole = values.to_vec();
        for (first, end) in [(0, last.count / 2), (last.count / 2, last.count)] {
            if provider.watch().interrupted() {
                return Err(Kind::Interrupted.into());
            }
            let mut part = dimensions.clone();
            if end - first > 1 {
                let count = end - first;
                part.push(Dimension { count, ..last });
            }
            values.copy_from_slice(&whole);
            self.advance(&last, first as isize, values);
            // SAFETY: the caller's, of elements of the arrays.
            unsafe { self.run(&part, provider, values)? };
        }
        Ok(())
    }

    /// Whether all arrays have their elements one after the other, as bodies take them without a walk.
    fn is_dense(&self, dimensions: &[Dimension], values: &[Value]) -> bool {
        let is_dense = |dimension: &Dimension| {
            self.arrays.iter().all(|&(index, array)| {
                let is_next = dimension.strides[index] == array.dtype.size() as isize;
                let is_aligned = values[index].data as usize % array.dtype.alignment() == 0;
                (is_next || dimension.count == 1) && is_aligned
            })
        };
        matches!(dimensions, [only] if is_dense(only))
    }

    /// How a body walks through these dimensions, which are in another order then; none if it takes not so many.
    fn walk(
        &self,
        dimensions: &mut [Dimension],
        values: &[Value],
        on_gpu: bool,
    ) -> Option<c::Walk> {
        if dimensions.len() > MAX_RANK {
            return None;
        }
        let mut walk = c::Walk {
            rank: dimensions.len() as i32,
            ..Default::default()
        };
        if on_gpu && !self.divide(&mut walk, dimensions, values) {
            return None;
        }
        let counts = dimensions.iter().map(|it| it.count as i64);
        walk.counts.iter_mut().zip(counts).for_each(|(to, it)| *to = it);
        Some(walk)
    }

    /// Divides the elements among the threads of a GPU; not if there are too many.
    fn divide(&self, walk: &mut c::Walk, dimensions: &mut [Dimension], values: &[Value]) -> bool {
        let crossing = self.crossing(dimensions);
        if let Some(other) = crossing {
            dimensions[1..=other].rotate_right(1);
        }
        let packs = |&(index, array): &(usize, &Array)| {
            let bytes = array.dtype.size() * self.lanes;
            let (first, others) = (dimensions[0].strides[index], &dimensions[1..]);
            let mut others = others.iter().map(|it| it.strides[index] as usize);
            first == array.dtype.size() as isize
                && values[index].data as usize % bytes == 0
                && others.all(|it| it % bytes == 0)
        };
        let packed: Vec<_> = self.arrays.iter().map(packs).collect();
        for (&(index, _), _) in self.arrays.iter().zip(&packed).filter(|it| *it.1) {
            walk.packs |= 1 << index;
        }
        let is_packed = packed[..self.written].iter().all(|it| *it) && walk.packs != 0;
        let (width, height) = match (crossing, is_packed) {
            (None, true) => (0, 0),
            (None, false) => (5, 0), // a warp
            (Some(_), true) => (2, 6),
            (Some(_), false) => (3, 5),
        };
        let second = dimensions.get(1).map_or(1, |it| it.count);
        let (first, lanes) = (dimensions[0].count, self.lanes);
        let bits = |count: usize, most: u32| count.next_power_of_two().trailing_zeros().min(most);
        let (width, height) = (bits(first.div_ceil(lanes), width), bits(second, height));
        let tiles = [first.div_ceil(lanes << width), second.div_ceil(1 << height)];
        let others = dimensions.iter().skip(2).map(|it| it.count as u64);
        let threads = [tiles[0] as u64, tiles[1] as u64, 1 << (width + height)];
        let threads = threads.into_iter().chain(others).fold(1, u64::saturating_mul);
        walk.is_packed = is_packed.into();
        (walk.width, walk.height) = (width as i8, height as i8);
        (walk.tiles, walk.threads) = (tiles.map(|it| it as u32), threads as u32);
        let elements = (tiles[0] as u64).saturating_mul((lanes << width) as u64);
        threads < MOST && elements < MOST
    }

    /// The dimension that is the innermost for an array that crosses the others, as a transposed one does.
    fn crossing(&self, dimensions: &[Dimension]) -> Option<usize> {
        self.arrays.iter().find_map(|&(index, _)| {
            let strides = dimensions.iter().map(|it| it.strides[index].unsigned_abs());
            let (place, _) = strides.enumerate().filter(|it| it.1 != 0).min_by_key(|it| it.1)?;
            (place != 0 && dimensions[0].strides[index] != 0).then_some(place)
        })
    }
}
