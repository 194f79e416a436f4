//! What the host gets: the functions of the package, and the image of their kernels.

use std::string::String;
use std::vec::Vec;

use crate::files::{ALL, PLANS};
use crate::plan::ZERO;
use crate::row::Spec;

/// Whether there is code for the GPU.
pub const BUILT: bool = cfg!(kernels);

/// The PTX of the kernels, which ends with a zero.
#[cfg(kernels)]
pub static IMAGE: &str = concat!(include_str!(env!("KERNELS_IMAGE")), "\0");
#[cfg(not(kernels))]
pub static IMAGE: &str = "\0";

/// A kernel, as its declaration says that it is.
pub struct Kernel {
    pub name: &'static str,
    /// The file and the function that it is of.
    pub file: &'static str,
    pub function: &'static str,
    /// Bytes of each parameter.
    pub parameters: Vec<usize>,
}

/// The functions, in the order of their names.
///
/// # Errors
/// Never: a wrong declaration is an error of the build.
pub fn functions() -> Result<Vec<Spec>, String> {
    Ok(ALL.iter().map(|spec| **spec).collect())
}

/// All kernels that the image must have.
pub fn kernels() -> impl Iterator<Item = Kernel> {
    let of_functions = ALL.iter().zip(PLANS).flat_map(|(spec, plans)| {
        let passes = plans
            .iter()
            .flat_map(|runs| runs.plan.passes.iter().map(|pass| (runs.plan, pass)));
        passes.map(|(plan, pass)| Kernel {
            name: pass.kernel,
            file: spec.file,
            function: spec.name,
            parameters: plan.slots.iter().map(|slot| slot.bytes).collect(),
        })
    });
    let zero = Kernel {
        name: ZERO,
        file: "runtime/native/kernels/src/zero.rs",
        function: ZERO,
        parameters: std::vec![size_of::<usize>(); 2],
    };
    of_functions.chain([zero])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_has_every_kernel() {
        for kernel in kernels().filter(|_| BUILT) {
            let entry = std::format!(".visible .entry {}(", kernel.name);
            assert!(IMAGE.contains(&entry), "{}: {}", kernel.file, kernel.name);
        }
        assert_eq!(functions().unwrap().len(), ALL.len());
    }
}
