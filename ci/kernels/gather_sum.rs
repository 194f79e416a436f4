use crate::prelude::*;

kernel! {
    /// The sum of the elements of `x` that `index` names.
    gather_sum(x: &f32[n], index: &u32[m]) -> f64
    fold (index) {
        start: 0.0,
        add: |sum, i| sum + f64::from(x[i as usize]),
        merge: |a, b| a + b,
        value: |sum| sum,
    }
}
