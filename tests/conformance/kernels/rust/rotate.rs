use crate::prelude::*;

kernel! {
    /// Multiply every point by the matrix: extents that are numbers.
    rotate(matrix: &f32[3, 3], points: &mut f32[n, 3])
    scratch old: f32[n, 3];
    each old[i, k] { points[[i, k]] }
    each points[i, row] {
        matrix[[row, 0]] * old[[i, 0]] + matrix[[row, 1]] * old[[i, 1]] + matrix[[row, 2]] * old[[i, 2]]
    }
}
