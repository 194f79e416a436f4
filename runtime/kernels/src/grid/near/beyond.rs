//! What is beyond the edges of an array. The names are those of `numpy.pad`.

/// What stands for an element that is not there.
pub trait Beyond: Copy {
    /// The index of it, for one that is not below `count`.
    fn inside(index: isize, count: usize) -> usize;
}

/// The nearest element.
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)] // as it is written in a declaration
pub struct edge;

impl Beyond for edge {
    #[inline(always)]
    fn inside(index: isize, count: usize) -> usize {
        if index < 0 { 0 } else { count - 1 }
    }
}

/// The array again.
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)] // as above
pub struct wrap;

impl Beyond for wrap {
    #[inline(always)]
    fn inside(index: isize, count: usize) -> usize {
        let (mut index, count) = (index, count as isize);
        while index < 0 {
            index += count; // no remainder: it is slow, and it is not far
        }
        while index >= count {
            index -= count;
        }
        index as usize
    }
}

/// The index that is so far from another, or what stands for it.
#[inline(always)]
pub fn index<B: Beyond>(from: usize, distance: isize, count: usize) -> usize {
    let index = from.wrapping_add_signed(distance);
    if index < count {
        index
    } else {
        B::inside(index as isize, count)
    }
}
