//! The functions of the package: the table that the build writes, read as specs.

use declared::{Spec, c};

/// Whether there is code for the GPU.
pub const BUILT: bool = cfg!(cuda);

/// The version of CUDA whose driver runs what nvcc made: the first of its major version.
pub const OLDEST_DRIVER: i32 = match option_env!("CUDA_MAJOR") {
    Some(major) => match i32::from_str_radix(major, 10) {
        Ok(major) => 1000 * major,
        Err(_) => panic!("CUDA_MAJOR is not a number"),
    },
    None => 0,
};

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
