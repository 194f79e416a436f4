//! The structs of `boost`, `push` and `spawn`.

use crate::prelude::*;

structure! {
    pub struct Particle {
        pos: [f32; 3],
        energy: f32,
        id: i32,
    }
}

structure! {
    /// Wider than a scalar, with a hole behind `periodic`, and with an array of two axes.
    pub struct Grid3 {
        spacing: [f64; 3],
        rotation: [[f32; 2]; 2],
        periodic: u8,
        size: i64,
    }
}
