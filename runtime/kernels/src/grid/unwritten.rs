//! Elements that a pass writes, before it has.

use core::ops::{Index, IndexMut};

/// Element of a result in the body that makes it: it cannot be read or assigned to.
#[derive(Clone, Copy, Default)]
pub struct Unwritten;

/// Nothing is: it is there for what the compiler says.
#[diagnostic::on_unimplemented(
    message = "a result cannot be read or assigned to in the body that makes its elements: each is what the body ends with",
    label = "in place of `{{ y[i] = x[i]; }}` write `{{ x[i] }}`"
)]
pub trait Assigned {
    type Element;
}

impl<I: Assigned> Index<I> for Unwritten {
    type Output = I::Element;
    fn index(&self, _: I) -> &I::Element {
        unreachable!()
    }
}

impl<I: Assigned> IndexMut<I> for Unwritten {
    fn index_mut(&mut self, _: I) -> &mut I::Element {
        unreachable!()
    }
}
