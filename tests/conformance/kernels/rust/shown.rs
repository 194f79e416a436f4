use crate::prelude::*;

kernel! {
    /// Print the elements that are below `least`, and count them.
    shown(x: &f32[n], least: f32) -> below: i64[1]
    block over x {
        block.each_index(n, |i| {
            let x = x[i];
            if x < least {
                kernel_print!("x[{}] = {}, below {}: {}", i, x, least, x < least);
                below.add(0, 1);
            }
            debug_assert!(x > -100.0);
        });
    }
}
