use crate::prelude::*;

kernel! {
    /// The sum or the largest element of each row.
    reduce_rows<T: f32 | i32>(x: &T[m, n], how: {sum, max}, negate: bool = false) -> y: T[m]
    where n > 0;
    each y[i] {
        let mut value = x[[i, 0]];
        for j in 1..n {
            let next = x[[i, j]];
            value = match how {
                how::sum => value + next,
                how::max if value < next => next,
                how::max => value,
            };
        }
        if negate { -value } else { value }
    }
}
