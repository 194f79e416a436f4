//! Where a function comes from, and what its source tells of its launches.

use super::launch::Launch;
use super::usage::Axis;

pub struct Origin<'a> {
    /// The source, in the package.
    pub path: &'a str,
    /// True if it can be compiled only with nvcc.
    pub needs_cuda: bool,
    /// True if the file includes it, instead of being linked to it.
    pub is_included: bool,
    pub launches: Vec<Launch>,
    /// How threads are told apart along x, y and z.
    pub threads: &'a [Axis; 3],
    pub has_dynamic_shared_memory: bool,
}
