//! Calls of element-wise bodies whose arrays have strides, or are broadcast: the body finds elements where they are.

use cuvec_spec::{MAX_ARGUMENTS, MAX_RANK, Value, c};

use super::adapt::own_shape;
use super::arguments::Arrays;
use super::body::{self, Provider};
use super::plan::Plan;
use crate::array::Array;
use crate::error::{Kind, Result};
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

/// The parts of a call share this.
struct Walked<'a> {
    body: Option<c::Body>,
    lanes: usize,
    /// The arrays with their indices, those that are written first.
    arrays: Vec<(usize, &'a Array)>,
    written: usize,
    /// Elements of the dimensions that are declared; none if there are none.
    own: Option<usize>,
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
        let mut own = None;
        for (index, array) in function.given(arrays) {
            let shape = own_shape(array, function.own(index));
            let value = &mut values[index];
            (value.shape, value.size) = (
                shape.as_ptr().cast(),
                shape.iter().product::<usize>() as i64,
            );
            own = own.or((!shape.is_empty()).then_some(value.size as usize));
        }
        let walked = Walked {
            body,
            lanes: function.spec.variants[self.dtypes.variant].lanes as usize,
            written: written.len(),
            arrays: [written, read].concat(),
            own,
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
            let mut strides = self
                .arrays
                .iter()
                .map(|&(index, _)| dimension.strides[index]);
            if strides.find(|&it| it != 0).is_some_and(|it| it < 0) {
                self.advance(dimension, dimension.count as isize - 1, values);
                dimension.strides = dimension.strides.map(|it| -it);
            }
        }
        let distance = |it: &Dimension| -> Vec<_> {
            let arrays = self.arrays.iter();
            arrays
                .map(|&(index, _)| it.strides[index].unsigned_abs())
                .collect()
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
        if count == 0 {
            return Ok(());
        }
        let is_whole = self.own.is_none_or(|own| own == count);
        if is_whole && self.is_dense(dimensions, values) {
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
                strides[index]
                    .iter_mut()
                    .zip(all)
                    .for_each(|(to, it)| *to = it);
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

    /// Checks whether all arrays are contiguous, as bodies take them without a walk.
    fn is_dense(&self, dimensions: &[Dimension], values: &[Value]) -> bool {
        let is_dense = |dimension: &Dimension| {
            self.arrays.iter().all(|&(index, array)| {
                let is_next = dimension.strides[index] == array.dtype.size() as isize;
                let address = values[index].data as usize;
                let is_aligned = address.is_multiple_of(array.dtype.alignment());
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
        walk.counts
            .iter_mut()
            .zip(counts)
            .for_each(|(to, it)| *to = it);
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
            let mut others = others.iter().map(|it| it.strides[index].unsigned_abs());
            first == array.dtype.size() as isize
                && (values[index].data as usize).is_multiple_of(bytes)
                && others.all(|it| it.is_multiple_of(bytes))
        };
        let packed: Vec<_> = self.arrays.iter().map(packs).collect();
        for (&(index, _), _) in self.arrays.iter().zip(&packed).filter(|it| *it.1) {
            walk.packs |= 1 << index;
        }
        let is_packed = packed[..self.written].iter().all(|it| *it) && walk.packs != 0;
        let are_all = packed.iter().all(|it| *it);
        let (width, height) = match (crossing, is_packed) {
            (None, true) => (0, 0),
            (None, false) => (5, 0), // a warp
            (Some(_), _) => (3, 5),  // of which either direction has whole sectors of 32 bytes
        };
        let second = dimensions.get(1).map_or(1, |it| it.count);
        let (first, lanes) = (dimensions[0].count, self.lanes);
        let bits = |count: usize, most: u32| count.next_power_of_two().trailing_zeros().min(most);
        let (width, height) = (bits(first.div_ceil(lanes), width), bits(second, height));
        let tiles = [first.div_ceil(lanes << width), second.div_ceil(1 << height)];
        let others = dimensions.iter().skip(2).map(|it| it.count as u64);
        let threads = [tiles[0] as u64, tiles[1] as u64, 1 << (width + height)];
        let threads = threads
            .into_iter()
            .chain(others)
            .fold(1, u64::saturating_mul);
        walk.is_packed = i8::from(is_packed) * (1 + i8::from(are_all));
        (walk.width, walk.height) = (width as i8, height as i8);
        (walk.tiles, walk.threads) = (tiles.map(|it| it as u32), threads as u32);
        let elements = (tiles[0] as u64).saturating_mul((lanes << width) as u64);
        threads < MOST && elements < MOST
    }

    /// The dimension that is the innermost for an array that crosses the others, as a transposed one does.
    fn crossing(&self, dimensions: &[Dimension]) -> Option<usize> {
        self.arrays.iter().find_map(|&(index, _)| {
            let strides = dimensions.iter().map(|it| it.strides[index].unsigned_abs());
            let (place, _) = strides
                .enumerate()
                .filter(|it| it.1 != 0)
                .min_by_key(|it| it.1)?;
            (place != 0 && dimensions[0].strides[index] != 0).then_some(place)
        })
    }
}

#[cfg(test)]
mod tests {
    use cuvec_spec::DType;

    use super::*;
    use crate::functions::tests::array;
    use crate::functions::values::NONE;

    /// A walk through an array that is written, and one that is read, both of float32.
    fn walked<'a>(arrays: &'a [Array; 2]) -> Walked<'a> {
        Walked {
            body: None,
            lanes: 4,
            written: 1,
            arrays: arrays.iter().enumerate().collect(),
            own: None,
        }
    }

    fn dimension(count: usize, strides: [isize; 2]) -> Dimension {
        let mut dimension = Dimension::of(count);
        dimension.strides[..2].copy_from_slice(&strides);
        dimension
    }

    fn simple(dimensions: &[(usize, [isize; 2])]) -> (Vec<(usize, [isize; 2])>, [isize; 2]) {
        let arrays = [0, 1].map(|_| array(4096, DType::F32, &[]));
        let mut all: Vec<_> = dimensions.iter().map(|it| dimension(it.0, it.1)).collect();
        let mut values = [NONE; 2];
        walked(&arrays).simplify(&mut all, &mut values);
        let all = all
            .iter()
            .map(|it| (it.count, [it.strides[0], it.strides[1]]));
        (all.collect(), values.map(|it| it.data as isize))
    }

    #[test]
    fn dimensions_are_merged_in_the_order_of_memory() {
        let dense = [(2, [48, 48]), (3, [16, 16]), (1, [7, 7]), (4, [4, 4])];
        assert_eq!(simple(&dense), (vec![(24, [4, 4])], [0, 0]));
        let transposed = [(3, [4, 4]), (2, [12, 12])];
        assert_eq!(simple(&transposed), (vec![(6, [4, 4])], [0, 0]));
        let row = [(2, [12, 0]), (3, [4, 4])];
        assert_eq!(simple(&row), (vec![(3, [4, 4]), (2, [12, 0])], [0, 0]));
        let element = [(2, [12, 0]), (3, [4, 0])];
        assert_eq!(simple(&element), (vec![(6, [4, 0])], [0, 0]));
        let reversed = [(2, [-12, 12]), (3, [-4, 4])];
        assert_eq!(simple(&reversed), (vec![(6, [4, -4])], [-20, 20]));
        assert_eq!(simple(&[(1, [9, 9])]), (vec![(1, [0, 0])], [0, 0]));
        assert_eq!(simple(&[(0, [4, 4])]), (vec![(0, [4, 4])], [0, 0]));
    }

    /// The offsets of the elements that threads of a GPU take, as `walk_thread` in `each.h` finds them.
    fn visited(walk: &c::Walk, dimensions: &[Dimension], array: usize) -> Vec<isize> {
        let mut offsets = Vec::new();
        for thread in 0..walk.threads {
            let (width, height) = (walk.width as u32, walk.height as u32);
            let (across, tile) = (thread & ((1 << width) - 1), thread >> width);
            let (down, mut next) = (tile & ((1 << height) - 1), tile >> height);
            let mut take = |size: u32| {
                let rest = next;
                next /= size;
                rest % size
            };
            let packs = take(walk.tiles[0]) * 4;
            let (scale, step) = match walk.is_packed {
                0 => (1, 1 << width),
                _ => (4, 1),
            };
            let first = (packs << width) + across * scale;
            let mut at = 0;
            let mut is_one = true;
            for (axis, dimension) in dimensions.iter().enumerate().skip(1) {
                let index = match axis {
                    1 => (take(walk.tiles[1]) << height) + down,
                    _ => take(dimension.count as u32),
                };
                is_one &= (index as usize) < dimension.count;
                at += index as isize * dimension.strides[array];
            }
            let lanes = (0..4).map(|lane| (first + lane * step) as usize);
            let lanes = lanes.filter(|&lane| is_one && lane < dimensions[0].count);
            offsets.extend(lanes.map(|lane| at + lane as isize * dimensions[0].strides[array]));
        }
        offsets
    }

    #[test]
    fn threads_take_each_element_once() {
        let arrays = [0, 1].map(|_| array(4096, DType::F32, &[]));
        let walked = walked(&arrays);
        let mut seen = Vec::new();
        for (address, counts) in [
            (4096, &[1][..]),
            (4100, &[33]),
            (4096, &[300]),
            (4096, &[64, 70]),
            (4100, &[64, 70]),
            (4096, &[3, 90]),
            (4096, &[50, 3, 7]),
            (4096, &[2, 3, 2, 5]),
        ] {
            for is_crossed in [false, true] {
                let mut step = 4;
                let mut all = Vec::new();
                for &count in counts {
                    all.push(dimension(count, [step, 0]));
                    step *= count as isize;
                }
                let mut step = 4;
                for index in 0..counts.len() {
                    let place = if is_crossed {
                        counts.len() - 1 - index
                    } else {
                        index
                    };
                    all[place].strides[1] = step * 2;
                    step *= all[place].count as isize;
                }
                let mut values = [NONE; 2];
                for value in &mut values {
                    value.data = address as *mut _;
                }
                let walk = walked.walk(&mut all, &values, true).unwrap();
                let mut offsets = visited(&walk, &all, 0);
                offsets.sort_unstable();
                let count = counts.iter().product::<usize>() as isize;
                assert!(
                    offsets.into_iter().eq((0..count).map(|it| 4 * it)),
                    "{counts:?}"
                );
                seen.push((walk.is_packed.min(1), walk.width > 0, walk.height > 0));
            }
        }
        for kind in [
            (1, false, false),
            (0, true, false),
            (1, true, true),
            (0, true, true),
        ] {
            assert!(seen.contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn packs_are_of_arrays_that_are_aligned_in_all_rows() {
        let arrays = [0, 1].map(|_| array(4096, DType::F32, &[]));
        let packs = |strides: [isize; 2], rows: [isize; 2]| {
            let mut all = [dimension(8, strides), dimension(5, rows)];
            let mut values = [NONE; 2];
            values[0].data = 4096 as *mut _;
            values[1].data = 4112 as *mut _;
            let walk = walked(&arrays).walk(&mut all, &values, true).unwrap();
            (walk.is_packed, walk.packs)
        };
        assert_eq!(packs([4, 4], [64, 0]), (2, 0b11));
        assert_eq!(packs([4, 0], [64, 4]), (1, 0b01));
        assert_eq!(packs([4, 4], [64, 36]), (1, 0b01));
        assert_eq!(packs([4, 4], [36, 32]), (0, 0b10));
        assert_eq!(packs([8, 8], [64, 64]), (0, 0));
    }

    #[test]
    fn indices_have_32_bits_and_dimensions_are_few() {
        let arrays = [0, 1].map(|_| array(4096, DType::F32, &[]));
        let walk = |all: &mut [Dimension], on_gpu| walked(&arrays).walk(all, &[NONE; 2], on_gpu);
        let large = [dimension(1 << 20, [4, 0]), dimension(1 << 13, [4 << 20, 4])];
        assert_eq!(walk(&mut large.clone(), true), None);
        assert!(walk(&mut large.clone(), false).is_some());
        assert!(walk(&mut [dimension(1 << 31, [4, 0])], true).is_none());
        assert!(walk(&mut [dimension(1 << 30, [4, 0])], true).is_some());
        assert!(walk(&mut vec![dimension(2, [8, 4]); 9], false).is_none());
    }
}
