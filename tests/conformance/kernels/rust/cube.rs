use crate::prelude::*;

kernel! {
    /// `a * x**3`, element by element: a function with derivatives.
    cube<T: f32 | f64 | i32>(x: &T[...], *, a: T = 1) -> y: T[...]
    derivative dx = cube_bwd(dy, x, a=a);
    { *y = a * x * x * x }
}
