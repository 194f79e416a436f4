//! The package that is to be built, as its files tell.

use std::fs;
use std::path::{Path, PathBuf};

use crate::answers::{PythonVersion, Record};
use crate::catalog::Kind;
use crate::tell::Finding;

/// How files in C++ end, and those of SWIG, of which it makes C++.
const CPP: [&str; 5] = ["cc", "cpp", "cxx", "hpp", "i"];

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

    /// The lowest version that it is for.
    pub fn python(&self) -> PythonVersion {
        let record = self.record.as_ref().and_then(|it| it.as_ref().ok());
        let version = record.and_then(|it| it.said.python.as_deref()?.parse().ok());
        version.unwrap_or(PythonVersion::LOWEST)
    }

    /// What was answered to the question for a kind.
    fn answer(&self, kind: Kind) -> Option<&str> {
        let record = self.record.as_ref()?.as_ref().ok()?;
        record.said.layers.get(kind)
    }

    /// Whether one of its files in a folder ends so and holds one of these texts.
    fn has(&self, folder: &str, endings: &[&str], texts: &[&str]) -> bool {
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten();
        let mut paths = entries.flatten().map(|entry| entry.path());
        paths.any(|path| {
            let ending = path.extension().unwrap_or_default();
            let is_text = endings.iter().any(|it| ending == *it);
            let text = fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            is_text && texts.iter().any(|it| text.contains(it))
        })
    }

    /// Whether it has `.cu` files, or was made for them. So is the default one.
    pub fn needs_nvcc(&self) -> bool {
        self.record.is_none()
            || self.answer(Kind::Kernels) == Some("cu")
            || self.has("kernels", &["cu"], &[""])
            || self.has("src", &["cu"], &[""])
    }

    /// Whether its bindings are compiled against them.
    pub fn needs_headers_of_python(&self) -> bool {
        ["cpython", "nanobind", "pybind11", "swig"]
            .map(|tool| format!("BINDINGS {tool}"))
            .iter()
            .any(|tool| self.has("src", &["txt"], &[tool]))
    }

    /// Besides the C compiler that links.
    pub fn needs_cpp(&self) -> bool {
        self.needs_nvcc() || self.has("src", &CPP, &[""])
    }

    /// Whether its kernels are compiled by Rust's compiler.
    pub fn has_kernels_in_rust(&self) -> bool {
        self.answer(Kind::Kernels) == Some("rust") || self.has("kernels", &["rs"], &[""])
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
                format!("`{name}` in `{folder}`: bindings `{bridge}`, kernels `{kernels}`"),
            )
        }
        Some(Err(problem)) => Finding::problem(
            "package",
            format!("{} in `{folder}`: {problem}", Record::PATH),
            &format!("git checkout {}", Record::PATH),
        ),
        None => Finding::ok(
            "package",
            format!("none in `{folder}`: checks what the default package needs"),
        ),
    }]
}
