use crate::prelude::*;

kernel! {
    /// The product of a sparse matrix (CSR) and a vector.
    spmv<T: f32 | f64, I: i32 | i64>(indptr: &I[m + 1], indices: &I[k], data: &T[k], x: &T[n]) -> y: T[m]
    each y[row] {
        let mut sum = T::default();
        for k in indptr[row] as usize..indptr[row + 1] as usize {
            sum += data[k] * x[indices[k] as usize];
        }
        sum
    }
}
