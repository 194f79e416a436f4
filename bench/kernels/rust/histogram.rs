use crate::prelude::*;

kernel! {
    /// Count the elements of `x` in `bins` equal parts of `low` to `high`.
    ///
    /// Others are not counted; `high` itself is in the last bin.
    histogram<T: f32 | f64>(x: &T[...], bins: usize = 64, *, low: T = 0, high: T = 1) -> counts: i64[bins]
    where low < high => "low must be below high";
    shared local: u32[bins.min(8192)];
    block over x {
        let scale = bins as T / (high - low);
        block.each_of(x, |x| {
            if low <= x && x <= high {
                let bin = (((x - low) * scale) as usize).min(bins - 1);
                if bin < local.len() { local.add(bin, 1) } else { counts.add(bin, 1) }
            }
        });
        block.wait();
        local.each(block, |bin, count| if count > 0 { counts.add(bin, count.into()) });
    }
}
