//! A function written by hand, for work that is no kernel. `ext.cpp` makes it one of Python.

#[cxx::bridge]
mod ffi {
    extern "Rust" {
        #[namespace = "ext"]
        fn smooth(x: &mut [f64]) -> f64;
    }
}

/// Makes every element but the ends the mean of its neighbours; returns the largest change.
fn smooth(x: &mut [f64]) -> f64 {
    let mut largest = 0.0_f64;
    for i in 1..x.len().saturating_sub(1) {
        let mean = (x[i - 1] + x[i + 1]) / 2.0;
        largest = largest.max((mean - x[i]).abs());
        x[i] = mean;
    }
    largest
}
