use crate::prelude::*;

kernel! {
    /// Exchange the rows of `x` and `y`, less the first element of each; add up the rows of `z` from the left, and return
    /// their first elements.
    swap_rows<T: i32 | f64>(x: &mut T[..., n], y: &mut T[..., n], z: &mut T[..., k]) -> first: T[...]
    each (x[row, ..], y[row, ..], z[row, ..], first[row]) by block {
        let [x_first, y_first] = if n == 0 { [T::default(); 2] } else { [x[0], y[0]] };
        (
            x.write(move |_, (_, y, _, _)| y - y_first),
            y.write(move |_, (x, _, _, _)| x - x_first),
            z.write(|_, (_, _, z, _)| z + z),
            if k == 0 { T::default() } else { z[0] },
        )
    }
    each z[row, ..] by block { z.scan(T::default(), |_, z| z, |a, b| a + b) }
    each x[row, ..] by warp {
        let most = warp.max_of(n, |i| x[i]);
        x.write(move |_, x| most - x)
    }
}
