//! The package that is to be built, as its files tell.

use std::fs;
use std::path::{Path, PathBuf};

use crate::answers::{PythonVersion, Record};
use crate::catalog::Kind;
use crate::tell::Finding;

pub struct Package {
    pub folder: PathBuf,
    /// What was answered when it was made; nothing if the folder holds no package.
    record: Option<Result<Record, String>>,
}

impl Package {
    pub fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(Record::PATH)).ok();
        Self {
            folder: folder.to_owned(),
            record: text.map(|text| Record::parse(&text)),
        }
    }

    /// Whether it has one of these files; where there is no package, any could be made.
    fn has(&self, path: &str) -> bool {
        self.record.is_none() || self.folder.join(path).exists()
    }

    /// The lowest version that it is for.
    pub fn python(&self) -> PythonVersion {
        let record = self.record.as_ref().and_then(|it| it.as_ref().ok());
        let version = record.and_then(|it| it.said.python.as_deref()?.parse().ok());
        version.unwrap_or(PythonVersion::LOWEST)
    }

    pub fn needs_cargo(&self) -> bool {
        self.has("runtime/native/Cargo.toml")
    }

    pub fn needs_nvcc(&self) -> bool {
        self.has("runtime/cmake/FindNvcc.cmake")
    }

    pub fn needs_headers_of_python(&self) -> bool {
        self.has("runtime/cmake/Python.cmake")
    }

    /// Besides the one that links.
    pub fn needs_cpp(&self) -> bool {
        self.needs_nvcc() || self.needs_headers_of_python() || !self.needs_cargo()
    }

    /// Whether its kernels are compiled by Rust's compiler.
    pub fn has_kernels_in_rust(&self) -> bool {
        self.record.is_some() && self.has("kernels/kernels.ptx")
    }

    /// Whether `CUDA=OFF` asks for a build for the CPU alone.
    pub fn is_without_cuda() -> bool {
        std::env::var_os("CUDA").is_some_and(|value| value == "OFF")
    }
}

pub fn check(package: &Package) -> Vec<Finding> {
    let folder = package.folder.display();
    vec![match &package.record {
        Some(Ok(Record { said, .. })) => {
            let name = said.name.as_deref().unwrap_or_default();
            let [bridge, kernels] =
                [Kind::Bridge, Kind::Kernels].map(|it| said.layers.get(it).unwrap_or_default());
            Finding::ok(
                "package",
                format!("`{name}` in `{folder}`: bridge `{bridge}`, kernels `{kernels}`"),
            )
        }
        Some(Err(problem)) => Finding::problem(
            "package",
            format!("{} in `{folder}`: {problem}", Record::PATH),
            &format!("git checkout {}", Record::PATH),
        ),
        None => Finding::ok(
            "package",
            format!("none in `{folder}`: these are the needs of the default"),
        ),
    }]
}
