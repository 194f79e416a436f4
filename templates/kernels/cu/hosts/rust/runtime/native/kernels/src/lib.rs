//! The functions of the package: the table that the build writes, read as specs.

use declared::{Spec, c};

/// Whether there is code for the GPU.
pub const BUILT: bool = cfg!(cuda);

unsafe extern "C" {
    static cuvec_functions: [*const c::Row; 0];
}

/// The functions, in the order of their names.
///
/// # Errors
/// When the table is of another version than this crate.
pub fn functions() -> Result<Vec<Spec>, String> {
    // SAFETY: the build writes the table, and a compiler its rows.
    unsafe { c::functions((&raw const cuvec_functions).cast()) }
}
