//! What the host gets: the functions of the package, and the image of their kernels.

use std::string::String;
use std::vec::Vec;

use crate::files::{ALL, PLANS};
use crate::plan::ZERO;
use crate::row::Spec;

/// Whether there is code for the GPU.
pub const BUILT: bool = cfg!(kernels);

/// The version of CUDA whose driver compiles the PTX: 6.3 came with CUDA 10.0.
pub const OLDEST_DRIVER: i32 = 10000;

/// The PTX of the kernels, which ends with a zero.
#[cfg(kernels)]
pub static IMAGE: &str = concat!(include_str!(env!("KERNELS_IMAGE")), "\0");
#[cfg(not(kernels))]
pub static IMAGE: &str = "\0";

/// A kernel, as its declaration says that it is.
pub struct DeclaredKernel {
    pub name: &'static str,
    /// The file and the function that it is of.
    pub file: &'static str,
    pub function: &'static str,
    /// Where each parameter is among their bytes, and how many it has.
    pub parameters: Vec<(usize, usize)>,
}

/// The functions, in the order of their names.
///
/// # Errors
/// Never: a wrong declaration is an error of the build.
pub fn functions() -> Result<Vec<Spec>, String> {
    Ok(ALL.iter().map(|spec| **spec).collect())
}

/// All kernels that the image must have.
pub fn kernels() -> impl Iterator<Item = DeclaredKernel> {
    let of_functions = ALL.iter().zip(PLANS).flat_map(|(spec, plans)| {
        let passes = plans
            .iter()
            .flat_map(|runs| runs.plan.passes.iter().map(|pass| (runs.plan, pass)));
        passes.map(|(plan, pass)| DeclaredKernel {
            name: pass.kernel.name,
            file: spec.file,
            function: spec.name,
            parameters: plan
                .slots
                .iter()
                .map(|slot| (slot.start, slot.bytes))
                .collect(),
        })
    });
    let zero = DeclaredKernel {
        name: ZERO.name,
        file: "runtime/native/kernels/src/zero.rs",
        function: ZERO.name,
        parameters: std::vec![(0, 8), (8, 8)],
    };
    of_functions.chain([zero])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of each parameter of an entry of the image, as `.param .align 8 .b8 x[16]` or `.param .f32 x`.
    fn parameters(name: &str) -> Option<Vec<usize>> {
        let (_, entry) = IMAGE.split_once(&std::format!(".visible .entry {name}("))?;
        let lines = entry.split_once(')')?.0.lines().map(str::trim);
        let size = |line: &str| match line.split_once('[') {
            Some((_, size)) => size.trim_end_matches([']', ',']).parse::<usize>().ok(),
            None => {
                let bits = line
                    .split(' ')
                    .nth(1)?
                    .trim_start_matches(|c: char| !c.is_ascii_digit());
                Some(bits.parse::<usize>().ok()? / 8)
            }
        };
        lines.filter(|line| !line.is_empty()).map(size).collect()
    }

    #[test]
    fn the_image_has_every_kernel_with_these_parameters() {
        for kernel in kernels().filter(|_| BUILT) {
            let (file, name) = (kernel.file, kernel.name);
            let bytes = kernel.parameters.iter().map(|&(_, bytes)| bytes);
            assert_eq!(parameters(name), Some(bytes.collect()), "{file}: {name}");
        }
        assert_eq!(functions().unwrap().len(), ALL.len());
    }
}
