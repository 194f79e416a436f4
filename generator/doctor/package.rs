//! The package that is to be built, as its files tell.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::answers::{PythonVersion, Record};
use crate::catalog::Kind;
use crate::disk::{Destination, check_free, existing};
use crate::package::{FOLDER, lock};
use crate::read;
use crate::tell::Finding;
use crate::wording::MARK;
use crate::workspaces::memberships;

/// How files in C++ end, and SWIG's, of which it makes C++.
const CPP: [&str; 5] = ["cc", "cpp", "cxx", "hpp", "i"];

/// The major version of CUDA that packages are for by default.
const CUDA: u32 = 13;

/// Where its owner unpacks the runtime to change it.
const UNPACKED: &str = "runtime/cuvec_runtime";

/// Builds `src/`, and says with which binding tool.
const BINDINGS: &str = "src/CMakeLists.txt";

pub struct Package {
    folder: PathBuf,
    /// Answers when it was made; nothing if the folder holds no package.
    record: Option<Result<Record, String>>,
}

impl Package {
    pub fn read(folder: &Path) -> Self {
        let record = text(folder, Record::PATH).transpose();
        Self {
            folder: folder.to_owned(),
            record: record.map(|text| text.and_then(|text| Record::parse(&text))),
        }
    }

    /// The lowest version that it is for.
    pub fn python(&self) -> PythonVersion {
        let record = self.record.as_ref().and_then(|it| it.as_ref().ok());
        let version = record.and_then(|it| it.said.python.as_deref()?.parse().ok());
        version.unwrap_or(PythonVersion::LOWEST)
    }

    fn answer(&self, kind: Kind) -> Option<&str> {
        let record = self.record.as_ref()?.as_ref().ok()?;
        record.said.layers.get(kind)
    }

    /// Names of its files in a folder that end so, in order.
    fn files(&self, folder: &str, endings: &[&str]) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten();
        let names = entries.flatten().map(|entry| entry.file_name());
        let names = names.filter(|name| {
            let ending = Path::new(name).extension().unwrap_or_default();
            endings.iter().any(|it| ending == *it)
        });
        let mut names: Vec<_> = names.map(|it| it.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn has(&self, folder: &str, endings: &[&str]) -> bool {
        !self.files(folder, endings).is_empty()
    }

    /// True if it has `.cu` files, or was made for them. So is the default one.
    fn needs_nvcc(&self) -> bool {
        self.record.is_none()
            || self.answer(Kind::Kernels) == Some("cu")
            || self.has("kernels", &["cu"])
            || self.has("src", &["cu"])
    }

    /// True if its bindings are compiled against them.
    fn needs_headers_of_python(&self) -> bool {
        let bindings = text(&self.folder, BINDINGS).ok().flatten();
        let bindings = bindings.unwrap_or_default();
        ["cpython", "nanobind", "pybind11", "swig"]
            .map(|tool| format!("BINDINGS {tool}"))
            .iter()
            .any(|tool| bindings.contains(tool))
    }

    /// The files of kernels in Rust that were never compiled for a GPU.
    fn kernels_without_ptx(&self) -> Vec<String> {
        let ptx = self.folder.join("kernels/ptx");
        let mut names = self.files("kernels", &["rs"]);
        names.retain(|it| it != "lib.rs" && !ptx.join(it).with_extension("ptx").exists());
        names.iter().map(|it| format!("kernels/{it}")).collect()
    }

    /// The declarations that `adopt` left marks in, and how many.
    fn unsettled(&self) -> Vec<(String, usize)> {
        let paths = self.files("kernels", &["cu"]).into_iter();
        let marks = |path: String| {
            // A file that cannot be read is a problem of the build, which says so.
            let text = read::text(&self.folder.join(&path)).ok()?;
            let count = text.matches(MARK).count();
            (count > 0).then_some((path, count))
        };
        paths
            .map(|it| format!("kernels/{it}"))
            .filter_map(marks)
            .collect()
    }

    /// Facts for the checks in Python; `is_for_python` is true if their interpreter is one that the package is for.
    pub fn facts(&self, is_for_python: bool) -> String {
        let folder = self.folder.canonicalize();
        let cuda: Option<u32> = self.answer(Kind::Cuda).and_then(|it| it.parse().ok());
        serde_json::json!({
            "folder": folder.unwrap_or_else(|_| self.folder.clone()).to_string_lossy(),
            "cuda": cuda.unwrap_or(CUDA),
            "python": is_for_python,
            "headers": self.needs_headers_of_python(),
            "nvcc": self.needs_nvcc(),
            "cpp": self.needs_nvcc() || self.has("src", &CPP),
            "rust": self.answer(Kind::Kernels) == Some("rust") || self.has("kernels", &["rs"]),
            "new": self.kernels_without_ptx(),
        })
        .to_string()
    }
}

/// A file of the package, if there is one; the error is why it cannot be read.
fn text(folder: &Path, file: &str) -> Result<Option<String>, String> {
    let found = existing(folder, file).map_err(|error| error.to_string());
    found.and_then(|it| it.text(file))
}

pub fn check(package: &Package) -> Vec<Finding> {
    if let Err(error) = check_free(&Destination::forced(&package.folder)) {
        let hint = error.hint().unwrap_or_default();
        return vec![Finding::problem("package", error.to_string(), &hint)];
    }
    let folder = package.folder.display();
    let memberships = memberships(&package.folder).into_iter();
    let memberships = memberships.map(|it| match it.is_problem() {
        true => Finding::problem("workspace", it.fact(), &it.hint()),
        false => Finding::warning("workspace", it.fact(), &it.hint()),
    });
    let made = match &package.record {
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
    };
    let marks = package.unsettled().into_iter().map(|(file, count)| {
        let marks = if count == 1 { "mark" } else { "marks" };
        let found = format!("{file} has {count} {marks} of `cuvec-new adopt`");
        let hint =
            format!("settle what is not known, and remove its mark: grep -n 'adopt:' {file}");
        Finding::warning("declarations", found, &hint)
    });
    [made]
        .into_iter()
        .chain(memberships)
        .chain(runtime(&package.folder))
        .chain(marks)
        .collect()
}

/// Checks whether the files that a build unpacks are as they were made, by `.cuvec-new.lock`.
fn runtime(folder: &Path) -> Vec<Finding> {
    let made = text(folder, lock::PATH).ok().flatten();
    let made = made.and_then(|text| lock::parse(&text).ok());
    let mut files = made.unwrap_or_default();
    files.retain(|path, _| path.starts_with(FOLDER));
    let problem = |(path, made): (&String, &lock::Made)| {
        let problem = match fs::read(folder.join(path)) {
            Ok(contents) if made.is(&contents) => return None,
            Ok(_) => "is damaged".to_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => "is missing".to_owned(),
            Err(error) => format!("cannot be read: {error}"),
        };
        let hint = "`git checkout -- runtime` restores it, or without git `cuvec-new update`";
        Some(Finding::problem(
            "runtime",
            format!("`{path}` {problem}"),
            hint,
        ))
    };
    let mut findings = Vec::new();
    if !files.is_empty() && folder.join(UNPACKED).is_dir() {
        let found = format!("`{UNPACKED}` is built, not the archive beside it");
        findings.push(Finding::ok("runtime", found));
        files.retain(|path, _| !path.ends_with(".tar.gz"));
    }
    findings.extend(files.iter().filter_map(problem));
    findings
}
