//! The command line of `cuvec-new add`.

use std::path::PathBuf;

use clap::Args;

#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Add {
    /// Name of the function, or its whole declaration
    #[arg(value_name = "NAME")]
    pub function: String,

    /// Shapes of arguments and results
    #[arg(value_name = "SIGNATURE")]
    pub signature: Option<String>,

    /// Language of the kernel, `cu` or `rust` [default: the one that the package was made with]
    ///
    /// A package may have kernels of both.
    #[arg(long, value_name = "LANGUAGE")]
    pub kernels: Option<String>,

    /// Dtypes that it is for, of a signature that has none [default: float32,float64]
    #[arg(long, value_name = "DTYPES")]
    pub dtypes: Option<String>,

    /// A struct that the declaration names, which is written with it; may be given several times
    ///
    /// Such as `Particle(pos: float32(3), energy: float32, id: int32)`, for `push(p: inout Particle(n), dt: float32)`.
    #[arg(long = "struct", value_name = "STRUCT")]
    pub structs: Vec<String>,

    /// Also write NAME_bwd, which calculates its gradients, and tests of its derivative in PyTorch and JAX
    #[arg(long)]
    pub derivative: bool,

    /// Overwrite its kernel and its test if they exist, and with --derivative NAME_bwd and its tests
    #[arg(long)]
    pub force: bool,

    /// Folder of the package
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub package: PathBuf,

    /// Print nothing unless something fails
    #[arg(short, long)]
    pub quiet: bool,
}
