use crate::prelude::*;

kernel! {
    /// As `spmv`, of indices that have a dtype of their own.
    csr_product<T: f32 | f64, I, J: i32 | i64>(indptr: &I[m + 1], indices: &J[k], data: &T[k], x: &T[n]) -> y: T[m]
    each y[row] {
        let mut sum = T::default();
        for k in indptr[row] as usize..indptr[row + 1] as usize {
            sum += data[k] * x[indices[k] as usize];
        }
        sum
    }
}
