//! How the elements of an array lie in memory.

/// Layout in a declaration: none, `rows` or `strided`.
pub trait Layout: Copy + 'static {
    /// Strides of an array, unless its extents decide them.
    type Strides<const R: usize>: Copy + Send + Sync;

    /// True if rows follow one another.
    const IS_CONTIGUOUS: bool = false;

    /// Distance in elements from the first one to the one at an index; `flat` is the same in the order of C.
    fn offset<const R: usize>(strides: &Self::Strides<R>, index: [usize; R], flat: usize) -> isize;

    /// Strides of a row of such an array.
    fn of_row<const R: usize>(strides: &Self::Strides<R>) -> Self::Strides<1>;
}

/// In the order of C.
#[derive(Clone, Copy)]
pub struct Contiguous;

/// Along the last dimension one behind the other.
#[derive(Clone, Copy)]
pub struct Rows;

/// All dimensions have strides.
#[derive(Clone, Copy)]
pub struct Strided;

impl Layout for Contiguous {
    type Strides<const R: usize> = [isize; 0];

    const IS_CONTIGUOUS: bool = true;

    #[inline(always)]
    fn offset<const R: usize>(_: &[isize; 0], _: [usize; R], flat: usize) -> isize {
        flat as isize
    }

    #[inline(always)]
    fn of_row<const R: usize>(_: &[isize; 0]) -> [isize; 0] {
        []
    }
}

impl Layout for Rows {
    type Strides<const R: usize> = [isize; R];

    #[inline(always)]
    fn offset<const R: usize>(strides: &[isize; R], index: [usize; R], flat: usize) -> isize {
        let mut strides = *strides;
        if let Some(last) = strides.last_mut() {
            *last = 1; // which the compiler knows
        }
        Strided::offset(&strides, index, flat)
    }

    #[inline(always)]
    fn of_row<const R: usize>(_: &[isize; R]) -> [isize; 1] {
        [1]
    }
}

impl Layout for Strided {
    type Strides<const R: usize> = [isize; R];

    #[inline(always)]
    fn offset<const R: usize>(strides: &[isize; R], index: [usize; R], _: usize) -> isize {
        let mut offset = 0;
        for axis in 0..R {
            offset += index[axis] as isize * strides[axis];
        }
        offset
    }

    #[inline(always)]
    fn of_row<const R: usize>(strides: &[isize; R]) -> [isize; 1] {
        [strides[R - 1]]
    }
}
