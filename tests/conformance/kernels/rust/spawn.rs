use super::lib::{Grid3, Particle};
use crate::prelude::*;

kernel! {
    /// Particles of these energies, one behind the other on the diagonal of a grid.
    spawn(energy: &f32[n], grid: Grid3) -> p: Particle[n]
    each p[i] {
        let at = if grid.periodic == 0 { i as i64 } else { i as i64 % grid.size };
        let pos = grid.spacing.map(|it| (at as f64 * it) as f32 + grid.rotation[1][0]);
        Particle { pos, energy: energy[i], id: i as i32 }
    }
}
