use crate::prelude::*;

kernel! {
    /// The `k` largest elements of each row and their indices, one after the other.
    top_k<T: f32 | f64>(x: &T[..., n], k: usize) -> (values: T[..., k], indices: i64[..., k])
    each (values[row, first], indices[row, first]) by block of [1, 256] {
        fail_if(k > n, "k is larger than a row");
        let is_before = |(x, i): (T, usize), (y, j): (T, usize)| (x > y) | (x == y) & (i < j);
        let (none, mut last) = ((T::NEG_INFINITY, n), (T::INFINITY, 0));
        let mut found = block.own(|_| none);
        for step in 0..k.min(first + 256) {
            let element = |i| if (step == 0) | is_before(last, (x[[row, i]], i)) { (x[[row, i]], i) } else { none };
            last = block.reduce(n, none, element, |a, b| if is_before(b, a) { b } else { a });
            found.update(block, |[_, thread], found| if first + thread == step { last } else { found });
        }
        (found.map(block, |_, (value, _)| value), found.map(block, |_, (_, i)| i as i64))
    }
}
