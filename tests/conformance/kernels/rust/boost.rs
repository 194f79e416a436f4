use super::lib::Particle;
use crate::prelude::*;

kernel! {
    /// The same particles with more energy.
    boost(p: &Particle[...], by: f32) -> q: Particle[...] {
        *q = Particle { energy: p.energy + by, ..p };
    }
}
