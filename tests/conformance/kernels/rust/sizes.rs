use crate::prelude::*;

kernel! {
    /// Results whose sizes may be rounded, too large or divided by zero; `y` becomes 1.
    sizes(n: i64, m: i64, y: &mut i8[...]) -> (quotient: i8[(n - 7) / m + 8], product: i8[n * m])
    each y[_i] { 1 }
    each quotient[_i] { 0 }
    each product[_i] { 0 }
}
