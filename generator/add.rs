//! `cuvec-new add`: a new function of a package that exists: a stub that builds, and its test.

pub mod blank;
pub mod c_types;
mod check;
mod cpp;
mod cuda;
mod declaration;
mod declared;
mod derivative;
mod derivative_test;
mod language;
mod layout;
pub mod names;
mod option;
mod passes;
mod rust;
mod sizes;
mod structure;
mod test;
mod values;

use std::fs;
use std::path::{Path, PathBuf};

use cuvec_declare::declaration::Structure;
use cuvec_declare::{DType, Fault, read};

use crate::answers::{Name, Record};
use crate::args::Add;
use crate::catalog::{Catalog, Kind};
use crate::disk::{Destination, check_free, existing, write};
use crate::doctor;
use crate::error::{Error, Result};
use crate::package::Rendered;
use crate::tell::{added, told};
pub use cpp::{chosen, constant, template};
use declaration::Declaration;
use declared::Declared;
use language::{LANGUAGES, Language};
pub use layout::{WIDTH, aligned, call, head};

/// The dtypes of a function whose signature has none.
const DEFAULT_DTYPES: &str = "float32,float64";

/// Fix for a package that has no nvcc yet.
const NVCC: &str = "for nvcc: build.requires = [\"cuda-toolkit[nvcc,cccl]==13.0.*\"] in pyproject.toml, at [tool.scikit-build], or a toolkit that CUDA_HOME names";

/// Fix where tests of dtypes need what NumPy does not have.
const ML_DTYPES: &str = "pip install ml_dtypes, and add it to the group `test` of pyproject.toml: it adds these dtypes to NumPy";

/// Writes the two files, and says so.
pub fn run(request: &Add, catalog: &Catalog, quiet: bool) -> Result<()> {
    let kernels = request.kernels.as_deref();
    catalog.choose(Kind::Kernels, kernels)?;
    let destination = Destination::forced(&request.package);
    // A run that was killed may have put the record aside.
    check_free(&destination)?;
    let package = package(&request.package, kernels)?;
    let ending = package.language.ending;
    let source = match ending {
        "rs" => rust::source,
        _ => cuda::source,
    };
    let declared = declared::all(&request.package, package.language)?;
    let mut declaration = declaration(request, package.language, &declared)?;
    let backward = match request.derivative {
        true => Some(backward(&mut declaration, &package)?),
        false if declaration.returned() < declaration.results.len() => {
            let hint = "a saved result is for it";
            return Err(Error::option("--derivative", "is missing", hint));
        }
        false => None,
    };
    let name = &declaration.name;
    let mut files = Vec::new();
    for declaration in [Some(&declaration), backward.as_ref()]
        .into_iter()
        .flatten()
    {
        package.check_free(&declaration.name, request.force)?;
        let kernel = format!("kernels/{}.{ending}", declaration.name);
        files.push(Rendered::new(&kernel, source(declaration)?.into_bytes()));
    }
    files.extend(package.manifest());
    let module = &package.module;
    let test = format!("tests/test_{name}.py");
    files.push(Rendered::new(
        &test,
        test::source(&declaration, module)?.into_bytes(),
    ));
    if backward.is_some() {
        let test = format!("tests/test_{name}_bwd.py");
        files.push(Rendered::new(
            &test,
            derivative_test::source(&declaration, module)?.into_bytes(),
        ));
    }
    let paths: Vec<_> = files.iter().map(|it| it.path.clone()).collect();
    let written = write(&files, &[], &destination, None)?;
    if quiet {
        return Ok(());
    }
    let extensions = declaration.all_dtypes().any(DType::is_extension);
    let ml_dtypes = extensions.then_some(ML_DTYPES);
    let needs: Vec<_> = package.needs().into_iter().chain(ml_dtypes).collect();
    let is_effect = declaration.is_effect();
    told(added(name, &paths, &written, &needs, is_effect))
}

/// The function that calculates the gradients of another, which names it from now on.
fn backward(declaration: &mut Declaration, package: &Package) -> Result<Declaration> {
    let backward = derivative::add_to(declaration)?;
    let refused = |fault: Fault| Error::option("--derivative", fault.problem, fault.hint);
    check::check(&backward, package.language).map_err(refused)?;
    Ok(backward)
}

const HINT: &str = "start it in the folder of a package, or give `--package DIR`";

/// The package that a function is added to.
pub struct Package<'a> {
    folder: &'a Path,
    module: String,
    /// Language of the function, and the one that the package was made for.
    language: &'static Language,
    own: &'static Language,
}

impl Package<'_> {
    /// Fails if a function, a module or a test of this name is there, other than the files that `force` writes anew.
    fn check_free(&self, name: &str, force: bool) -> Result<()> {
        match self.taken(name, force) {
            None => Ok(()),
            Some((path, what, instead)) => {
                let problem = format!("{what} `{name}` already exists: `{}`", path.display());
                let hint = format!("choose another name, or {instead}");
                Err(Error::failed(problem, hint))
            }
        }
    }

    /// Finds the path in the way of a function of this name, what it is, and the fix.
    pub fn taken(&self, name: &str, force: bool) -> Option<(PathBuf, &'static str, &'static str)> {
        let python = format!("python/{}/{name}", self.module);
        let kernel = |ending: &str| format!("kernels/{name}.{ending}");
        let others = LANGUAGES
            .iter()
            .filter(|it| it.ending != self.language.ending);
        let mut taken: Vec<_> = others
            .map(|it| (kernel(it.ending), "function", "remove the file"))
            .collect();
        taken.push((format!("{python}.py"), "module", "remove the file"));
        taken.push((python, "module", "remove the folder"));
        if !force {
            let own = [
                kernel(self.language.ending),
                format!("tests/test_{name}.py"),
            ];
            taken.extend(own.map(|it| (it, "function", "`--force` writes it anew")));
        }
        taken
            .into_iter()
            .map(|(path, what, instead)| (self.folder.join(path), what, instead))
            .find(|(path, ..)| path.symlink_metadata().is_ok())
    }

    /// The manifest of the crate that kernels in Rust are, if it is not there.
    fn manifest(&self) -> Option<Rendered<'static>> {
        let path = "kernels/Cargo.toml";
        if self.language.ending != "rs" || self.folder.join(path).exists() {
            return None;
        }
        let manifest = include_str!("../templates/kernels/rust/kernels/Cargo.toml.hbs");
        let workspace = include_str!("../templates/base/cpp/partials/kernels-workspace.toml");
        let manifest = manifest.replace("{{> kernels-workspace}}\n", workspace);
        Some(Rendered::new(path, manifest.into_bytes()))
    }

    /// Returns the fix if something is missing to build its functions in the language.
    pub fn needs(&self) -> Option<&'static str> {
        match self.language.ending {
            "rs" => (!doctor::has_rustc()).then_some(doctor::INSTALL_RUSTC),
            _ => self.has_its_first_in_cuda().then_some(NVCC),
        }
    }

    /// Checks whether one in CUDA C++ was just added to a package that had none.
    fn has_its_first_in_cuda(&self) -> bool {
        let files = fs::read_dir(self.folder.join("kernels"))
            .into_iter()
            .flatten();
        let written = files
            .flatten()
            .filter(|it| it.path().extension().is_some_and(|it| it == "cu"));
        self.own.name != "cu" && written.count() < 2
    }
}

/// The package in a folder, to which functions of that language are added, or of its own.
pub fn package<'a>(folder: &'a Path, kernels: Option<&str>) -> Result<Package<'a>> {
    let broken = |problem: String| {
        let problem = format!("has a broken `{}`: {problem}", Record::PATH);
        Error::option("--package", problem, HINT)
    };
    let text = existing(folder, Record::PATH)?.text(Record::PATH);
    let text = text.map_err(broken)?;
    let text = text.ok_or_else(|| Error::no_record(folder, HINT))?;
    let said = Record::parse(&text).map_err(broken)?.said;
    let name = said.name.as_deref().unwrap_or_default();
    let module = Name::parse(name)
        .map_err(|it| broken(it.to_string()))?
        .module();
    let of_name = |name: &str| LANGUAGES.iter().find(|it| it.name == name);
    let own = match said.layers.get(Kind::Kernels) {
        None => &LANGUAGES[0],
        Some(name) => {
            of_name(name).ok_or_else(|| broken(format!("unknown kernel language `{name}`")))?
        }
    };
    let language = kernels.and_then(of_name).unwrap_or(own);
    Ok(Package {
        folder,
        module,
        language,
        own,
    })
}

/// The lines of a declaration; what is wrong with it if it is no right one.
pub fn signature_lines(text: &str, package: &Package) -> Result<Vec<String>, String> {
    let declaration = read::declaration(text, &[])
        .map_err(|it| it.problem)?
        .into();
    check::check(&declaration, package.language).map_err(|it| it.problem)?;
    Ok(declaration.signature())
}

fn declaration(request: &Add, language: &Language, declared: &[Declared]) -> Result<Declaration> {
    let structs = structure::all(&request.structs, language)?;
    let count = structs.len();
    let of_package: Vec<_> = declared.iter().filter_map(Declared::structure).collect();
    let structs = [structs, of_package].concat(); // the first one of a name is taken
    let (function, signature) = (&*request.function, request.signature.as_deref());
    let (text, read) = match signature {
        None if !function.contains('(') => {
            let hint = format!("such as `cuvec-new add {} '(m,n),(n)->(m)'`", function);
            return Err(Error::option("SIGNATURE", "is missing", hint));
        }
        None => (function, read::declaration(function, &structs)),
        Some(text) if text.trim_start().starts_with('(') && !text.contains(':') => (
            text,
            read::shapes(function, text, &dtypes(request.dtypes.as_deref())?),
        ),
        Some(text) => (text, read::declaration(text, &structs)),
    };
    let of_text = |fault: Fault| {
        let explained = |fault: Fault, it: &Declared| it.explain(fault, language);
        let fault = declared.iter().fold(fault, explained);
        Error::signature(text, fault)
    };
    let declaration: Declaration = read.map_err(of_text)?.into();
    if let Some(reason) = names::of_function(&declaration.name) {
        let problem = format!(
            "`{}` cannot be the name of a function: {reason}",
            declaration.name
        );
        return Err(Error::option("NAME", problem, "choose another name"));
    }
    let whole = signature != Some(text) || text.contains(':');
    if whole && request.dtypes.is_some() {
        let hint = "write them there: `<T: float32, float64>`";
        return Err(Error::option(
            "--dtypes",
            "is for a signature without dtypes",
            hint,
        ));
    }
    if signature.is_some() && declaration.name != function {
        let problem = format!(
            "is `{}`, and the declaration is of `{}`",
            function, declaration.name
        );
        return Err(Error::option(
            "NAME",
            problem,
            "leave it out: the declaration has the name",
        ));
    }
    check::check(&declaration, language).map_err(of_text)?;
    let is_named = |it: &&Structure| !declaration.structs.contains(*it);
    if let Some(structure) = structs[..count].iter().find(is_named) {
        let problem = format!(
            "declares `{}`, which the signature does not name",
            structure.name
        );
        let hint = format!("such as `x: inout {}(n)`", structure.name);
        return Err(Error::option("--struct", problem, hint));
    }
    if sizes::rows(&declaration).is_empty() {
        let hint = "write the two files by hand, like the files of another function";
        let fault = Fault::new(0, "no sizes were found for a test of it", hint);
        return Err(Error::signature(text, fault));
    }
    Ok(declaration)
}

fn dtypes(given: Option<&str>) -> Result<Vec<DType>> {
    let mut found = Vec::new();
    for word in given.unwrap_or(DEFAULT_DTYPES).split(',').map(str::trim) {
        let refused = |(problem, hint): (String, String)| {
            Error::option("--dtypes", format!("is wrong: {problem}"), hint)
        };
        let dtype = read::dtype(word, false).map_err(refused)?;
        if found.contains(&dtype) {
            let problem = format!("has `{word}` twice");
            return Err(Error::option("--dtypes", problem, "remove one of them"));
        }
        found.push(dtype);
    }
    Ok(found)
}
