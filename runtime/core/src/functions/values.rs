//! Values of arguments, as bodies get them.

use std::ffi::c_void;
use std::ptr;

use cuvec_spec::{MAX_ARGUMENTS, MAX_RANK, Value};

use super::arguments::{Arrays, Scalars};
use super::function::Function;
use super::plan::Plan;
use super::strides::folded;
use crate::array::Array;
use crate::shape;

/// No value.
pub(super) const NONE: Value = Value {
    data: ptr::null_mut(),
    shape: ptr::null(),
    strides: ptr::null(),
    size: 0,
    count: ptr::null_mut(),
};

/// As much as any element is aligned to.
const MAX_ALIGN: usize = 16;

/// An array, at an address that the body can use.
pub(super) fn value_of(array: &Array, address: usize) -> Value {
    Value {
        data: address.max(MAX_ALIGN) as *mut c_void, // an empty array may have no address, and is not None
        shape: array.shape.as_ptr().cast(), // sizes have as many bits, and never the highest
        size: array.count() as i64,
        ..NONE
    }
}

/// The shapes of arrays whose leading dimensions the body gets as one.
pub(super) struct Folded(Vec<[i64; MAX_RANK]>);

impl Folded {
    pub fn of(function: &Function) -> Self {
        // As many as there may be: none of them moves.
        let count = if function.folded.is_empty() {
            0
        } else {
            MAX_ARGUMENTS
        };
        Self(Vec::with_capacity(count))
    }

    /// Changes the value of an array that has so many dimensions of its own behind the leading ones.
    #[inline(never)]
    pub fn fold(&mut self, value: &mut Value, array: &Array, own: usize) {
        let (leading, own) = array.shape.split_at(array.shape.len() - own);
        let mut shape = [0; MAX_RANK];
        shape[0] = leading.iter().product::<usize>() as i64;
        for (to, from) in shape[1..].iter_mut().zip(own) {
            *to = *from as i64;
        }
        self.0.push(shape);
        value.shape = self.0.last().map_or(ptr::null(), |shape| shape.as_ptr());
    }
}

/// A scalar, or where one is to be put.
pub(super) fn scalar_at(address: *mut u8) -> Value {
    Value {
        data: address.cast(),
        size: 1,
        ..NONE
    }
}

const _: () = assert!(
    size_of::<usize>() == size_of::<i64>(),
    "sizes are passed as they are"
);

impl Plan<'_> {
    /// The arguments, as a body on the side of the arrays gets them.
    pub(super) fn put_values(
        &self,
        values: &mut [Value],
        arrays: &Arrays,
        scalars: &Scalars,
        (folded, strides): &mut (Folded, Strides),
    ) {
        for (index, value) in values.iter_mut().enumerate() {
            if let Some(array) = arrays[index] {
                *value = value_of(array, array.address);
                if self.function.folded.has(index) {
                    folded.fold(value, array, self.function.own(index));
                }
                if self.function.laid_out.has(index) {
                    strides.put(value, array, self.function, (index, false));
                }
            } else if self.function.is_scalar(index) {
                *value = scalar_at(self.function.address_of(index, scalars).cast_mut());
            }
        }
    }
}

/// The strides of arrays that are not declared contiguous.
pub(super) struct Strides(Vec<[i64; MAX_RANK]>);

impl Strides {
    pub fn of(function: &Function) -> Self {
        // As many as there may be: none of them moves.
        Self(match function.laid_out.is_empty() {
            true => Vec::new(),
            false => Vec::with_capacity(MAX_ARGUMENTS),
        })
    }

    /// Puts them into the value of an array, which may be of a contiguous copy.
    #[inline(never)]
    pub fn put(
        &mut self,
        value: &mut Value,
        array: &Array,
        function: &Function,
        (index, is_copy): (usize, bool),
    ) {
        let argument = &function.spec.arguments[index];
        let (own, element) = (argument.shape.extents.len(), array.dtype.size() as isize);
        let dense = || shape::strides(&array.shape, array.dtype).into();
        let bytes = array.strides.as_ref().filter(|_| !is_copy);
        let bytes = bytes.cloned().unwrap_or_else(dense);
        let first = array.shape.len() - own;
        let leads = argument.shape.leading;
        // In a loop there is one of them.
        let leading = leads.then(|| folded(&array.shape[..first], &bytes).unwrap_or(0));
        let mut strides = [0; MAX_RANK];
        let all = leading.into_iter().chain(bytes[first..].iter().copied());
        for (to, stride) in strides.iter_mut().zip(all) {
            *to = (stride / element) as i64;
        }
        self.0.push(strides);
        value.strides = self
            .0
            .last()
            .map_or(ptr::null(), |strides| strides.as_ptr());
    }
}
