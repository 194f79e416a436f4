//! Arguments of a function that a body calls.

use std::marker::PhantomData;
use std::ptr;

use cuvec_spec::{DType, MAX_RANK, Value, c};

use crate::element::Element;

/// Lifetime of one call: it can be taken for no other, longer or shorter.
pub(crate) type Brand<'a> = PhantomData<fn(&'a ()) -> &'a ()>;

/// Argument that [`Composition::run`](crate::Composition::run) gives to a function: an array, or a scalar of a number.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    kind: Kind,
    brand: Brand<'a>,
}

#[derive(Clone, Copy)]
enum Kind {
    None,
    Scalar {
        bytes: [u64; 2],
        dtype: DType,
    },
    Array {
        value: Value,
        /// Shape of scratch memory; others have theirs where the core has it.
        shape: Option<[i64; MAX_RANK]>,
        dtype: i16,
        rank: i8,
        is_writable: bool,
    },
}

// SAFETY: what is pointed to is used in its call alone, by the core.
unsafe impl Send for Operand<'_> {}

/// No array, and where a scalar is put.
pub(crate) const NONE: Value = Value {
    data: ptr::null_mut(),
    shape: ptr::null(),
    strides: ptr::null(),
    size: 1,
    count: ptr::null_mut(),
};

impl Operand<'_> {
    /// None, for an optional array.
    pub const NONE: Self = Self {
        kind: Kind::None,
        brand: PhantomData,
    };

    /// # Safety
    /// The value must be an array's of this dtype and as many sizes, in the call.
    pub(crate) unsafe fn array(value: &Value, dtype: i32, rank: i32, is_writable: bool) -> Self {
        Self {
            kind: Kind::Array {
                value: *value,
                shape: None,
                dtype: dtype as i16, // as the core has said, and so is the rank
                rank: rank as i8,
                is_writable,
            },
            brand: PhantomData,
        }
    }

    /// # Safety
    /// The value must be memory of the call, for an array of this shape.
    pub(crate) unsafe fn scratch(
        value: Value,
        shape: [i64; MAX_RANK],
        dtype: DType,
        rank: i8,
    ) -> Self {
        Self {
            kind: Kind::Array {
                value,
                shape: Some(shape),
                dtype: dtype.value(),
                rank,
                is_writable: true,
            },
            brand: PhantomData,
        }
    }

    /// With pointers into the operand.
    pub(crate) fn raw(&self) -> c::Operand {
        let (value, dtype, rank, is_writable) = match &self.kind {
            Kind::None => (NONE, DType::Bool.value(), 0, false),
            Kind::Scalar { bytes, dtype } => {
                let data = bytes.as_ptr().cast_mut().cast();
                let value = Value { data, ..NONE };
                (value, dtype.value(), -1, false)
            }
            Kind::Array {
                value,
                shape,
                dtype,
                rank,
                is_writable,
            } => {
                let shape = shape.as_ref().map_or(value.shape, |it| it.as_ptr());
                (Value { shape, ..*value }, *dtype, *rank, *is_writable)
            }
        };
        c::Operand {
            value,
            dtype,
            rank,
            is_writable: is_writable.into(),
        }
    }

    fn scalar<T: Copy>(value: T, dtype: DType) -> Self {
        const { assert!(size_of::<T>() <= 16) };
        let mut bytes = [0; 2];
        // SAFETY: no longer than that, and plain data.
        unsafe { bytes.as_mut_ptr().cast::<T>().write(value) };
        Self {
            kind: Kind::Scalar { bytes, dtype },
            brand: PhantomData,
        }
    }
}

impl<T: Element> From<T> for Operand<'_> {
    fn from(value: T) -> Self {
        Self::scalar(value, T::DTYPE)
    }
}

impl From<bool> for Operand<'_> {
    fn from(value: bool) -> Self {
        Self::scalar(value, DType::Bool)
    }
}

impl From<usize> for Operand<'_> {
    fn from(value: usize) -> Self {
        Self::scalar(value as u64, DType::U64)
    }
}

/// Arguments of a function: a tuple of up to 12 operands and numbers, or a slice of operands.
#[diagnostic::on_unimplemented(
    message = "a declared function is not called with `{Self}`",
    note = "it is called with a tuple of up to 12 operands and numbers, `(a, x, 1.0, y)`, or with a slice of operands"
)]
pub trait Operands<'a> {
    #[doc(hidden)]
    fn list(self) -> Vec<Operand<'a>>;
}

impl<'a> Operands<'a> for &[Operand<'a>] {
    fn list(self) -> Vec<Operand<'a>> {
        self.to_vec()
    }
}

macro_rules! operands {
    ($($first:ident $($type:ident)*;)*) => {
        $(
            #[allow(non_snake_case)] // the types' names
            impl<'a, $first: Into<Operand<'a>>, $($type: Into<Operand<'a>>),*> Operands<'a> for ($first, $($type,)*) {
                fn list(self) -> Vec<Operand<'a>> {
                    let ($first, $($type,)*) = self;
                    vec![$first.into(), $($type.into()),*]
                }
            }
        )*
    };
}

operands! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
