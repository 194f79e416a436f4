//! Where a function comes from, and what its source tells of its launches.

/// Where the code of the function is.
pub struct Origin<'a> {
    /// The source, in the package.
    pub path: &'a str,
    /// Whether it can be compiled with nvcc alone.
    pub needs_cuda: bool,
    /// Whether the file includes it, instead of being linked to it.
    pub is_included: bool,
    /// What is known of the launches of a kernel: files, lines and grids.
    pub launches: Vec<String>,
    /// Up to where threads go along x, y and z: parameters or numbers.
    pub threads: [Option<String>; 3],
    pub has_axis: [bool; 3],
    pub has_dynamic_shared_memory: bool,
}
