//! Elements that are loaded and stored together.

use super::Element;

/// Bytes of the widest memory access that a thread can make.
const ACCESS: usize = 16;

/// 16 bytes of elements.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Vector<T: Element>(T::Lanes);

impl<T: Element> Vector<T> {
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> T {
        self.0.as_ref()[lane]
    }

    #[inline(always)]
    pub fn lanes(&self) -> &[T] {
        self.0.as_ref()
    }

    /// Calls `f` with every lane, between one load and one store.
    #[inline(always)]
    pub fn update(&mut self, f: impl Fn(usize, &mut T)) {
        let mut lanes = self.0;
        for (lane, value) in lanes.as_mut().iter_mut().enumerate() {
            f(lane, value);
        }
        self.0 = lanes;
    }
}

/// How the elements of two arrays split into single elements, vectors, and single elements
/// again. Arrays that sit differently to the multiples of 16 have no vectors.
#[derive(Clone, Copy)]
pub struct Split {
    /// Elements before the vectors.
    pub head: usize,
    pub vectors: usize,
    /// Index of the first element after the vectors.
    pub tail: usize,
    /// Number of elements.
    pub end: usize,
}

impl Split {
    #[inline(always)]
    pub fn new<T: Element>(x: *const T, y: *const T, count: usize) -> Self {
        let lanes = ACCESS / size_of::<T>();
        let (x, y) = (x.addr(), y.addr());
        let head = if (x ^ y).is_multiple_of(ACCESS) {
            // Bytes up to the next multiple of 16.
            (y.wrapping_neg() % ACCESS / size_of::<T>()).min(count)
        } else {
            count
        };
        let vectors = (count - head) / lanes;
        Self {
            head,
            vectors,
            tail: head + vectors * lanes,
            end: count,
        }
    }

    /// The vector of this index in an array that starts at `start`.
    ///
    /// # Safety
    /// The array must be one of those the split was made for, and `index` below `vectors`.
    #[inline(always)]
    pub unsafe fn vector<T: Element>(self, start: *mut T, index: usize) -> *mut Vector<T> {
        // SAFETY: the caller's.
        unsafe { start.add(self.head).cast::<Vector<T>>().add(index) }
    }
}
