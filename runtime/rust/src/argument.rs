//! Arrays as bodies get them.

use std::ptr;
use std::slice;

use cuvec_spec::{Role, Value};

use crate::api::RawArray;
use crate::array::{Array, ArrayMut, Name};
use crate::element::Element;
use crate::operand::Operand;

/// An array that a body works on: `&Array`, `&ArrayMut` or `&CuVec`.
pub trait Argument {
    /// Slice that a body on the CPU gets.
    type Slice<'a>;
    /// Address on the GPU that a body there gets.
    type Pointer;

    #[doc(hidden)]
    fn raw(&self) -> *mut RawArray;

    /// # Safety
    /// The value must be the array's, on the host, and of this argument alone.
    #[doc(hidden)]
    unsafe fn slice<'a>(value: &Value) -> Self::Slice<'a>;

    #[doc(hidden)]
    fn pointer(value: &Value) -> Self::Pointer;

    /// # Safety
    /// The value must be the array's, in a call of that lifetime alone.
    #[doc(hidden)]
    unsafe fn operand<'a>(&self, value: &Value) -> Operand<'a> {
        // SAFETY: the core's array, and the caller's.
        unsafe {
            let array = &*self.raw();
            Operand::array(value, array.dtype, array.rank, array.role != IN)
        }
    }
}

/// `CUVEC_IN`.
const IN: i32 = Role::In as i32;

/// The elements; an empty array may have no address.
fn parts<T>(value: &Value) -> (*mut T, usize) {
    match value.size {
        0 => (ptr::NonNull::dangling().as_ptr(), 0),
        size => (value.data.cast(), size as usize),
    }
}

impl<T: Element, const N: usize, A: Name> Argument for &Array<T, N, A> {
    type Slice<'a> = &'a [T];
    type Pointer = *const T;

    fn raw(&self) -> *mut RawArray {
        Array::raw(self)
    }

    unsafe fn slice<'a>(value: &Value) -> &'a [T] {
        let (data, size) = parts::<T>(value);
        // SAFETY: the caller's.
        unsafe { slice::from_raw_parts(data, size) }
    }

    fn pointer(value: &Value) -> *const T {
        value.data.cast_const().cast()
    }
}

impl<T: Element, const N: usize, A: Name> Argument for &ArrayMut<T, N, A> {
    type Slice<'a> = &'a mut [T];
    type Pointer = *mut T;

    fn raw(&self) -> *mut RawArray {
        ArrayMut::raw(self)
    }

    unsafe fn slice<'a>(value: &Value) -> &'a mut [T] {
        let (data, size) = parts::<T>(value);
        // SAFETY: the caller's.
        unsafe { slice::from_raw_parts_mut(data, size) }
    }

    fn pointer(value: &Value) -> *mut T {
        value.data.cast()
    }
}

/// Arrays that a body works on: one, as `&x`, or a tuple of up to eight, as `(&x, &y)`.
#[diagnostic::on_unimplemented(
    message = "a body does not work on `{Self}`",
    label = "not an array",
    note = "it works on `&x`, where `x` is an `Array`, an `ArrayMut` or a `CuVec`, or on a tuple of up to eight: `(&x, &y)`"
)]
pub trait Arguments {
    /// Elements that a body on the CPU gets: a slice, or a tuple of slices. They are in C order.
    type Slices<'a>;
    /// Addresses that a body on the GPU gets: one, or a tuple of them.
    type Pointers;
    /// Operands that the body of [`compose`](crate::compose) gets: one, or a tuple of them.
    type Operands<'a>;

    #[doc(hidden)]
    fn raw(&self) -> Vec<*mut RawArray>;

    /// # Safety
    /// As for [`Argument::slice`], of each.
    #[doc(hidden)]
    unsafe fn slices<'a>(values: *const Value) -> Self::Slices<'a>;

    /// # Safety
    /// There must be a value for each.
    #[doc(hidden)]
    unsafe fn pointers(values: *const Value) -> Self::Pointers;

    /// # Safety
    /// As for [`Argument::operand`], of each.
    #[doc(hidden)]
    unsafe fn operands<'a>(&self, values: *const Value) -> Self::Operands<'a>;
}

impl<A: Argument> Arguments for A {
    type Slices<'a> = A::Slice<'a>;
    type Pointers = A::Pointer;
    type Operands<'a> = Operand<'a>;

    fn raw(&self) -> Vec<*mut RawArray> {
        vec![Argument::raw(self)]
    }

    unsafe fn slices<'a>(values: *const Value) -> A::Slice<'a> {
        // SAFETY: the caller's.
        unsafe { A::slice(&*values) }
    }

    unsafe fn pointers(values: *const Value) -> A::Pointer {
        // SAFETY: the caller's.
        A::pointer(unsafe { &*values })
    }

    unsafe fn operands<'a>(&self, values: *const Value) -> Operand<'a> {
        // SAFETY: the caller's.
        unsafe { self.operand(&*values) }
    }
}

/// An operand for an argument of this type.
macro_rules! operand_of {
    ($type:ident, $call:lifetime) => {
        Operand<$call>
    };
}

macro_rules! arguments {
    ($($type:ident $index:tt),*) => {
        impl<$($type: Argument),*> Arguments for ($($type,)*) {
            type Slices<'a> = ($($type::Slice<'a>,)*);
            type Pointers = ($($type::Pointer,)*);
            type Operands<'a> = ($(operand_of!($type, 'a),)*);

            fn raw(&self) -> Vec<*mut RawArray> {
                vec![$(Argument::raw(&self.$index)),*]
            }

            unsafe fn slices<'a>(values: *const Value) -> Self::Slices<'a> {
                // SAFETY: the caller's.
                unsafe { ($($type::slice(&*values.add($index)),)*) }
            }

            unsafe fn pointers(values: *const Value) -> Self::Pointers {
                // SAFETY: the caller's.
                unsafe { ($($type::pointer(&*values.add($index)),)*) }
            }

            unsafe fn operands<'a>(&self, values: *const Value) -> Self::Operands<'a> {
                // SAFETY: the caller's.
                unsafe { ($(self.$index.operand(&*values.add($index)),)*) }
            }
        }
    };
}

arguments!(A 0);
arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);
arguments!(A 0, B 1, C 2, D 3);
arguments!(A 0, B 1, C 2, D 3, E 4);
arguments!(A 0, B 1, C 2, D 3, E 4, F 5);
arguments!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
arguments!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
