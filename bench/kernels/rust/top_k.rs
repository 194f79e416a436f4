use crate::prelude::*;

kernel! {
    /// The `k` largest elements of each row and their indices, one after the other.
    top_k<T: f32 | f64>(x: &T[..., n], k: usize) -> (values: T[..., k], indices: i64[..., k])
    each indices[row, first] by block of [1, 256] {
        fail_if(k > n, "k is larger than a row");
        let mut found = block.own(|_| 0);
        let mut last = Best::new(T::INFINITY, 0);
        for step in 0..k.min(first + 256) {
            let is_left = |here, i| (step == 0) | (here < last.value()) | (here == last.value()) & (i > last.place());
            let best = block.own(|[_, thread]| {
                let mine = (0..n.div_ceil(256)).map(|part| part * 256 + thread).filter(|&i| i < n && is_left(x[[row, i]], i));
                mine.fold(Best::new(T::NEG_INFINITY, n), |best, i| best.larger(x[[row, i]], i))
            });
            last = best.reduce(block, Best::largest);
            found.update(block, |[_, thread], found| if first + thread == step { last.place() as i64 } else { found });
        }
        found
    }
    each values[row, j] { x[[row, indices[[row, j]] as usize]] }
}
