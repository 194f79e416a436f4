use crate::prelude::*;

kernel! {
    /// Return the absolute values and the angles of complex numbers, what they make, and e to these powers.
    polar<T: complex64 | complex128>(z: &T[n]) -> (norm: real(T)[n], angle: real(T)[n], back: T[n], exp: T[n])
    each norm[i] { z[i].norm() }
    each angle[i] { z[i].arg() }
    each back[i] { T::from_polar(z[i].norm(), z[i].arg()) }
    each exp[i] { z[i].exp() }
}
