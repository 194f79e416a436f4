//! Shapes: element counts, byte counts and layouts.

use std::array;
use std::ops::{Deref, Range};

use cuvec_spec::DType;

use crate::error::{Error, Result};

/// As many dimensions as nearly all arrays have at most.
pub const INLINE_RANK: usize = 4;

/// The shape of an array: mostly of few dimensions, which need no memory of their own.
#[derive(Clone, Debug)]
pub struct InlineShape {
    rank: usize,
    count: usize,
    inline: [usize; INLINE_RANK],
    /// All of them, if there are more.
    many: Box<[usize]>,
}

impl InlineShape {
    /// A shape of so many dimensions, whose sizes `size` tells by their index.
    #[inline(always)] // made where they are to be, without a copy
    pub fn new(rank: usize, size: impl Fn(usize) -> usize) -> Self {
        if rank > INLINE_RANK {
            return Self::many((0..rank).map(size).collect());
        }
        let mut count = 1_usize;
        let inline = array::from_fn(|dimension| {
            if dimension >= rank {
                return 0;
            }
            let size = size(dimension);
            count = count.saturating_mul(size);
            size
        });
        Self {
            rank,
            count,
            inline,
            many: Box::default(),
        }
    }

    #[cold]
    fn many(sizes: Box<[usize]>) -> Self {
        Self {
            rank: sizes.len(),
            count: sizes.iter().fold(1, |n, &size| n.saturating_mul(size)),
            inline: [0; INLINE_RANK],
            many: sizes,
        }
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Bytes of an array of this shape, as [`bytes`].
    ///
    /// # Errors
    /// As there.
    pub fn bytes(&self, dtype: DType) -> Result<usize> {
        checked(Some(self.count), self, dtype) // a count that is too large stays so
    }
}

impl PartialEq for InlineShape {
    /// One by one: `memcmp`, which compares slices, takes longer than a whole check on shapes that were
    /// only just written, and on none.
    fn eq(&self, other: &Self) -> bool {
        self.rank == other.rank && self.iter().zip(&**other).all(|(one, its)| one == its)
    }
}

impl From<&[usize]> for InlineShape {
    #[inline(always)] // as above
    fn from(shape: &[usize]) -> Self {
        Self::new(shape.len(), |dimension| shape[dimension])
    }
}

impl Deref for InlineShape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        if self.rank <= INLINE_RANK {
            &self.inline[..self.rank]
        } else {
            &self.many
        }
    }
}

/// Elements of an array of this shape.
pub fn count(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0); // also when other sizes would overflow
    }
    shape
        .iter()
        .try_fold(1_usize, |count, &n| count.checked_mul(n))
}

/// Bytes of an array of this shape and dtype.
///
/// # Errors
/// `Kind::Value` when the size does not fit into an address.
pub fn bytes(shape: &[usize], dtype: DType) -> Result<usize> {
    checked(count(shape), shape, dtype)
}

fn checked(count: Option<usize>, shape: &[usize], dtype: DType) -> Result<usize> {
    count
        .and_then(|count| count.checked_mul(dtype.size()))
        .filter(|&bytes| isize::try_from(bytes).is_ok())
        .ok_or_else(|| {
            Error::wrong_value(format_args!(
                "an array of shape {} and dtype {} is larger than the address space",
                display(shape),
                dtype.name()
            ))
        })
}

/// Strides, in bytes, of a C-contiguous array.
pub fn strides(shape: &[usize], dtype: DType) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut step = dtype.size() as isize;
    for (stride, &n) in strides.iter_mut().zip(shape).rev() {
        *stride = step;
        step = step.saturating_mul(n.max(1) as isize);
    }
    strides
}

/// The strides, in bytes, that an [`Array`](crate::Array) of an exporter's has: none if it is
/// C-contiguous. As in NumPy, the stride of a dimension of size one does not matter, and an empty array is
/// contiguous.
///
/// # Errors
/// `Kind::Value` for an array at this address that is not in the address space.
pub fn scattered(
    address: usize,
    shape: &[usize],
    strides: impl ExactSizeIterator<Item = i128> + DoubleEndedIterator + Clone,
    dtype: DType,
) -> Result<Option<Box<[isize]>>> {
    if shape.contains(&0) {
        return Ok(None);
    }
    let dimensions = shape.iter().map(|&n| n as i128).zip(strides.clone());
    let mut step = dtype.size() as i128;
    let is_contiguous = dimensions.clone().rev().all(|(n, stride)| {
        let follows = n == 1 || stride == step;
        step = step.saturating_mul(n); // a shape that is too large is refused elsewhere
        follows
    });
    if is_contiguous {
        return Ok(None);
    }
    let reach = reach(dimensions, dtype);
    let (low, high) = (address as i128 + reach.start, address as i128 + reach.end);
    if low < 0 || high > isize::MAX as i128 {
        return Err(Error::wrong_value(format_args!(
            "an array of shape {} has strides beyond the address space",
            display(shape)
        )));
    }
    Ok(Some(strides.map(|stride| stride as isize).collect())) // of one element: any
}

/// The offset of an element from the first one, from its place in the order of C and the size and the stride
/// of each dimension.
pub fn offset(place: usize, dimensions: impl DoubleEndedIterator<Item = (usize, isize)>) -> isize {
    let mut rest = place;
    dimensions.rev().fold(0, |offset, (size, stride)| {
        let index = rest % size;
        rest /= size;
        stride.wrapping_mul(index as isize).wrapping_add(offset)
    })
}

/// Sizes and strides as [`reach`] takes them.
pub fn wide(shape: &[usize], strides: &[isize]) -> impl Iterator<Item = (i128, i128)> {
    let pairs = shape.iter().zip(strides);
    pairs.map(|(&n, &stride)| (n as i128, stride as i128))
}

/// The bytes between the first one of an array and the lowest one that it has, and the end of the
/// highest, from the size and the stride of each dimension. Strides are in bytes.
pub fn reach(dimensions: impl Iterator<Item = (i128, i128)>, dtype: DType) -> Range<i128> {
    let (mut low, mut high) = (0_i128, dtype.size() as i128);
    for (n, stride) in dimensions {
        if n == 0 {
            return 0..0;
        }
        let last = (n - 1).saturating_mul(stride);
        low = low.saturating_add(last.min(0));
        high = high.saturating_add(last.max(0));
    }
    low..high
}

/// As Python prints a shape: `()`, `(3,)`, `(2, 3)`.
pub fn display(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => {
            let sizes: Vec<_> = shape.iter().map(usize::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn counts() {
        assert_eq!(count(&[]), Some(1));
        assert_eq!(count(&[2, 3]), Some(6));
        assert_eq!(count(&[usize::MAX, usize::MAX, 0]), Some(0));
        assert_eq!(count(&[usize::MAX, 2]), None);
    }

    #[test]
    fn extents_are_few_or_many() {
        for rank in 0..3 * INLINE_RANK {
            let shape: Vec<_> = (7..7 + rank).collect();
            let inline = InlineShape::from(&shape[..]);
            assert_eq!(
                (&*inline, Some(inline.count())),
                (&shape[..], count(&shape))
            );
        }
    }

    #[test]
    fn sizes_beyond_the_address_space_are_refused() {
        assert_eq!(bytes(&[3], DType::F64), Ok(24));
        assert_eq!(InlineShape::from(&[3][..]).bytes(DType::F64), Ok(24));
        let largest = isize::MAX as usize;
        assert_eq!(bytes(&[largest], DType::U8), Ok(largest));
        let error = bytes(&[largest], DType::F32).unwrap_err();
        assert!(matches!(error.kind(), Kind::Value(_)));
        let inline = InlineShape::from(&[largest, 3][..]);
        assert!(inline.bytes(DType::U8).is_err());
    }

    #[test]
    fn contiguity_follows_numpy() {
        let shape = [2, 1, 3];
        assert_eq!(strides(&shape, DType::F32), [12, 12, 4]);
        let scattered = |shape: &[usize], strides: &[isize]| {
            let strides = strides.iter().map(|&stride| stride as i128);
            scattered(4096, shape, strides, DType::F32).map(|it| it.is_some())
        };
        assert_eq!(scattered(&shape, &[12, 999, 4]), Ok(false));
        assert_eq!(scattered(&shape, &[4, 12, 8]), Ok(true));
        assert_eq!(scattered(&[0, 3], &[1, 1]), Ok(false));
        assert_eq!(scattered(&[3, 0], &[1, 1]), Ok(false));
        assert_eq!(scattered(&[], &[]), Ok(false));
        assert_eq!(scattered(&[2], &[-4096]), Ok(true));
        let error = scattered(&[2], &[-4097]).unwrap_err().to_string();
        assert_eq!(
            error,
            "an array of shape (2,) has strides beyond the address space"
        );
        assert!(scattered(&[2], &[isize::MAX - 5000]).is_ok());
        assert!(scattered(&[4], &[isize::MAX]).is_err());
    }

    #[test]
    fn a_place_is_an_offset() {
        let offset = |place, strides: [isize; 2]| offset(place, [2, 3].into_iter().zip(strides));
        let offsets: Vec<_> = (0..6).map(|place| offset(place, [100, 8])).collect();
        assert_eq!(offsets, [0, 8, 16, 100, 108, 116]);
        assert_eq!(offset(5, [0, 8]), 16);
        assert_eq!(offset(5, [-100, 8]), -84);
    }

    #[test]
    fn reach_is_to_both_sides() {
        let reach = |shape: &[usize], strides: &[isize]| reach(wide(shape, strides), DType::F32);
        assert_eq!(reach(&[], &[]), 0..4);
        assert_eq!(reach(&[2, 3], &[12, 4]), 0..24);
        assert_eq!(reach(&[2, 3], &[12, -4]), -8..16);
        assert_eq!(reach(&[usize::MAX, 0], &[isize::MAX, isize::MAX]), 0..0);
        let far = reach(&[isize::MAX as usize; 3], &[isize::MAX; 3]);
        assert!(far.end > i128::from(u64::MAX));
    }

    #[test]
    fn display_is_python() {
        assert_eq!(display(&[]), "()");
        assert_eq!(display(&[3]), "(3,)");
        assert_eq!(display(&[2, 3]), "(2, 3)");
    }
}
