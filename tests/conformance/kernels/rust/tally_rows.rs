use crate::prelude::*;

kernel! {
    /// Add the sums of rows to `sums`, and their lengths to `counts`.
    tally_rows(x: &f32[m, n], sums: Option<&mut f32[m]>, *, counts: Option<&mut i64[m]> = None)
    each sums[i] { sums + (0..n).map(|j| x[[i, j]]).sum::<f32>() }
    each counts[i] { counts + n as i64 }
}
