use crate::prelude::*;

kernel! {
    /// Return the second differences of an array of one dimension and of one of three.
    laplace<T: f32 | f64>(line: &T[n], cube: &T[p, h, w]) -> (line_d: T[n], cube_d: T[p, h, w])
    each line_d[i] with line.wrap(1) { line.near(-1) + line.near(1) - 2.0 * line.near(0) }
    each cube_d[k, i, j] with cube.edge(1) {
        cube.near(-1, 0, 0) + cube.near(1, 0, 0) + cube.near(0, -1, 0) + cube.near(0, 1, 0) + cube.near(0, 0, -1)
            + cube.near(0, 0, 1) - 6.0 * cube.near(0, 0, 0)
    }
}
