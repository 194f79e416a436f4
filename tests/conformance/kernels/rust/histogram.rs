use crate::prelude::*;

kernel! {
    /// How many elements are in each of `bins` equal parts from `low` to `high`.
    histogram(x: &f32[...], bins: i16 = 4, *, low: f32 = -0.5, high: f32 = 1.5e0) -> counts: i64[bins]
    shared mine: u32[(bins as usize).min(4096)];
    block over x {
        block.each_of(x, |x| {
            let at = (x - low) / (high - low) * f32::from(bins);
            if at >= 0.0 && at < f32::from(bins) {
                let bin = at as usize;
                if bin < mine.len() { mine.add(bin, 1) } else { counts.add(bin, 1) }
            }
        });
        block.wait();
        mine.each(block, |bin, count| counts.add(bin, count.into()));
    }
}
