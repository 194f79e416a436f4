use crate::prelude::*;

kernel! {
    /// Return the index of the largest element, the first of several; of one that is not a number, where there is one.
    argmax<T: i32 | i64 | f16 | f32 | f64>(x: &T[...]) -> index: i64
    where x.len() > 0 => "x is empty";
    fold (x) at i {
        start: Best::new(T::LOWEST, usize::MAX),
        add: |best, x| best.larger(x, i),
        merge: Best::largest,
        value: |best| best.place() as i64,
    }
}
