use super::lib::Particle;
use crate::prelude::*;

kernel! {
    /// Move particles up, which takes energy.
    push(p: &mut Particle[...], dt: f32) {
        p.pos[2] += dt;
        p.energy -= dt;
    }
}
