use crate::prelude::*;

kernel! {
    /// As many arguments and results as there can be, added up.
    many(
        a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64, j: f64, k: f64, l: f64, m: f64,
        n: f64, o: f64, p: f64, q: f64, r: f64, s: f64, t: f64, u: f64, v: f64, w: f64, x: f64, y: f64, z: f64,
        x0: &f64[...], x1: &f64[...], x2: &f64[...], x3: &f64[...],
        the_last_of_all_arguments_whose_name_has_as_many_letters_as_any: &f64[...],
    ) -> y0: f64[...] {
        let scalars = a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w;
        let last = the_last_of_all_arguments_whose_name_has_as_many_letters_as_any;
        *y0 = scalars + x + y + z + x0 + x1 + x2 + x3 + last;
    }
}
