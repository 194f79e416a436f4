//! `cuvec-new adopt`: declarations of functions that existing sources define.
//!
//! Sources stay as they are and where they are. What their heads and bodies do not tell is marked in the declarations, which
//! build all the same.

mod body;
mod bounds;
mod cmake;
mod draft;
mod file;
mod includes;
mod launch;
mod lines;
mod source;
mod usage;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::add::{self, Package};
use crate::args::Adopt;
use crate::disk::{Destination, check_free, existing};
use crate::error::{Error, Result};
use crate::package::Rendered;
use crate::previous::check_saved;
use crate::tell::{Adopted, Remark, adopted, told};
use crate::wording::MARK;
use cmake::Sources;
use file::{File, file, inside};
use launch::Origin;
use source::{Function, Parameter, Source};
use usage::{Usage, Use};

const CMAKE: &str = "CMakeLists.txt";

/// The most functions that a file may declare: each becomes a file of the package.
const MOST: usize = 1000;

/// Why a template or a static kernel stays where it is.
const INNER: &str = "only what includes its file can use a template or a static kernel, and other functions of the file are \
                     linked: move it into a header";

/// Why a function of a header alone is not adopted.
const DECLARED: &str = "it is only declared here: what its code reads and writes is where it is defined; adopt that file too";

/// Writes the declarations, and says what is in them and what is not.
pub fn run(request: &Adopt, quiet: bool) -> Result<()> {
    let destination = Destination::forced(&request.package);
    check_free(&destination)?;
    let package = add::package(&request.package, Some("cu"))?;
    let broken = |problem: String| Error::option("--package", problem, "restore it from git");
    let cmake = existing(&request.package, CMAKE)?
        .text(CMAKE)
        .map_err(broken)?;
    let cmake = cmake.ok_or_else(|| broken(format!("has no `{CMAKE}`")))?;
    let folders = request
        .include
        .iter()
        .map(|it| inside(it, &request.package));
    let folders: Vec<String> = folders.collect::<Result<_>>()?;
    let files = request
        .files
        .iter()
        .map(|it| file(it, &request.package, &folders, &cmake));
    let files: Vec<File> = files.collect::<Result<_>>()?;
    let mut work = Work {
        request,
        quiet,
        package: &package,
        cmake: &cmake,
        names: BTreeSet::new(),
        defined: files.iter().flat_map(File::defined).collect(),
        linked: BTreeMap::new(),
        found: Adopted::default(),
        is_any_taken: false,
        rendered: Vec::new(),
        sources: Sources::default(),
    };
    for file in &files {
        let path = request.package.join(&file.path).canonicalize();
        let is_compiled = |it: &File| {
            !it.is_header
                && it.missing.is_none()
                && path.as_ref().is_ok_and(|path| it.includes.contains(path))
        };
        work.adopt(file, files.iter().any(is_compiled))?;
    }
    if work.sources.files.len() + work.sources.only_with_cuda.len() > 0 || !work.rendered.is_empty()
    {
        work.sources.folders = folders;
    }
    work.finish(&destination)
}

struct Work<'a> {
    request: &'a Adopt,
    quiet: bool,
    package: &'a Package<'a>,
    cmake: &'a str,
    /// Names of functions in the sources, and of declarations.
    names: BTreeSet<String>,
    defined: BTreeSet<String>,
    /// Names that the sources give the linker, each with its file.
    linked: BTreeMap<String, String>,
    found: Adopted,
    /// A function is declared already.
    is_any_taken: bool,
    rendered: Vec<Rendered<'static>>,
    sources: Sources,
}

impl Work<'_> {
    /// Adopts a file. Declarations are linked to a header's functions if it is part of a source.
    fn adopt(&mut self, file: &File, is_compiled: bool) -> Result<()> {
        self.name_declared(file);
        let functions = file.source.functions();
        let is_wanted =
            |it: &Function| self.request.only.is_empty() || self.request.only.contains(&it.name);
        let count = functions.iter().filter(|it| is_wanted(it)).count();
        if count > MOST {
            let problem = format!("`{}` defines {count} functions", file.path);
            let hint = format!("name {MOST} at most: `--only NAMES`");
            return Err(Error::usage(problem, hint));
        }
        let usages = usages(&functions, &file.source);
        let wanted: Vec<_> = functions
            .iter()
            .zip(&usages)
            .filter(|(it, _)| !it.is_device && is_wanted(it))
            .collect();
        let inner = |it: &Function| it.is_inner() || (file.is_header && !is_compiled);
        let exports = !file.is_header && functions.iter().any(|it| !it.is_device && !inner(it));
        let included = wanted
            .iter()
            .filter(|(it, _)| inner(it) && (it.is_kernel || !it.is_local))
            .count();
        let is_built = cmake::is_built(self.cmake, &file.path);
        // Included twice, what it exports would be there twice.
        let can_include = !exports || (included == 1 && !is_built);
        if let (Some(missing), Some((first, _))) = (&file.missing, wanted.first()) {
            let what = format!("`{}` and all others of the file: {missing}", first.name);
            self.leave_out(file, first.line, what);
            return Ok(());
        }
        if let Some((line, what)) = self.linked_twice(file, &functions) {
            self.leave_out(file, line, what);
            return Ok(());
        }
        let mut is_file_included = false; // by a declaration
        for (function, usage) in wanted {
            let is_included = inner(function);
            let refused = if function.name == "main" {
                Some("it is a program".to_owned())
            } else if function.is_local && !function.is_kernel {
                Some("it is static: its own file calls it".to_owned())
            } else if is_included && !can_include {
                Some(INNER.to_owned())
            } else {
                self.declare(file, (function, &functions), usage, is_included)?
            };
            match refused {
                None => is_file_included |= is_included,
                Some(reason) => {
                    let what = format!("`{}`: {reason}", function.name);
                    self.leave_out(file, function.line, what);
                }
            }
        }
        // Also one that declares nothing: others call it.
        if exports && !is_file_included && !is_built {
            let is_cu = file.path.ends_with(".cu");
            let only = !is_cu && file.needs_cuda;
            let sources = &mut self.sources;
            let list = if only {
                &mut sources.only_with_cuda
            } else {
                &mut sources.files
            };
            list.push(file.path.clone());
        }
        Ok(())
    }

    fn leave_out(&mut self, file: &File, line: usize, what: String) {
        let remark = Remark::new(&file.path, line, what);
        self.found.left_out.push(remark);
    }

    /// Why a file is left out that defines what another one does: both are linked into one library.
    fn linked_twice(&mut self, file: &File, functions: &[Function]) -> Option<(usize, String)> {
        if file.is_header {
            return None;
        }
        let linked: Vec<_> = functions
            .iter()
            .filter_map(|it| Some((it.linked()?, it)))
            .collect();
        for (symbol, Function { name, line, .. }) in &linked {
            let Some(other) = self.linked.get(symbol) else {
                continue;
            };
            let instead = match name.as_str() {
                "main" => "move what is no program into a file of its own",
                _ => "make it static in both",
            };
            let what = format!(
                "`{name}` and all others of the file: `{other}` defines `{name}`, too, and both would be linked; \
                 adopt one of them, or {instead}"
            );
            return Some((*line, what));
        }
        let symbols = linked
            .into_iter()
            .map(|(symbol, _)| (symbol, file.path.clone()));
        self.linked.extend(symbols);
        None
    }

    /// Names the functions of a header that none of the files defines.
    fn name_declared(&mut self, file: &File) {
        let only = &self.request.only;
        for (name, line) in file.source.declared() {
            let is_wanted = only.is_empty() || only.iter().any(|it| it == name);
            if file.is_header && is_wanted && self.defined.insert(name.to_owned()) {
                let what = format!("`{name}`: {DECLARED}");
                self.leave_out(file, line, what);
            }
        }
    }

    /// Writes a declaration; the reason if there can be none.
    fn declare(
        &mut self,
        file: &File,
        (function, functions): (&Function, &[Function]),
        usage: &Usage,
        is_included: bool,
    ) -> Result<Option<String>> {
        let stem = Path::new(&file.path)
            .file_stem()
            .and_then(|it| it.to_str())
            .unwrap_or_default();
        if let Some(reason) = on_cpu(file, function, usage) {
            return Ok(Some(reason));
        } else if function.is_kernel && function.returned != "void" {
            return Ok(Some(
                "it returns something, which no kernel does".to_owned(),
            ));
        }
        let mut draft = match draft::draft(function, usage, stem) {
            Err(reason) => return Ok(Some(reason)),
            Ok(draft) => draft,
        };
        if !self.names.insert(format!(" {}", function.name))
            || !self.names.insert(draft.name.clone())
        {
            return Ok(Some("another function is called so".to_owned()));
        }
        if file.needs_cuda && !function.is_kernel {
            draft.notes.extend(on_memory(function, usage));
        }
        let text = write::signature(&draft);
        let lines = match add::signature_lines(&text, self.package) {
            Err(problem) => {
                return Ok(Some(format!(
                    "it cannot be declared as `{text}`: {problem}"
                )));
            }
            Ok(lines) => lines,
        };
        let name = &draft.name;
        // Others of the file may be new: nothing that is there is lost for them.
        if let Some((path, what, _)) = self.package.taken(name, self.request.force) {
            let path = path.strip_prefix(&self.request.package).unwrap_or(&path);
            self.is_any_taken = true;
            let reason = format!("{what} `{name}` already exists: `{}`", path.display());
            return Ok(Some(reason));
        }
        let origin = Origin {
            path: &file.path,
            needs_cuda: file.needs_cuda,
            is_included,
            launches: launch::launches(function, functions, &file.source),
            threads: &usage.threads,
            has_dynamic_shared_memory: usage.has_dynamic_shared_memory,
        };
        let text = write::source(&draft, &origin, &lines);
        let path = format!("kernels/{name}.cu");
        self.found.marks.extend(marks(&path, &text));
        self.found.files.push((path.clone(), lines.join(" ")));
        self.rendered.push(Rendered::new(path, text.into_bytes()));
        Ok(None)
    }

    fn finish(mut self, destination: &Destination) -> Result<()> {
        if self.rendered.is_empty() {
            let reasons: Vec<_> = self
                .found
                .left_out
                .iter()
                .map(ToString::to_string)
                .collect();
            let problem = match reasons.as_slice() {
                [] => "there is no function to adopt".to_owned(),
                _ => format!("there is no function to adopt:\n  {}", reasons.join("\n  ")),
            };
            let hint = match self.is_any_taken {
                true => {
                    "`--force` declares them again, without your edits, which a commit must have"
                }
                false => {
                    "give files that define kernels, or functions of the host that take pointers and scalars"
                }
            };
            return Err(Error::usage(problem, hint));
        }
        if self.request.force {
            check_saved(destination, &[], &self.rendered)?;
        }
        let no_place = || {
            Error::option(
                "--package",
                format!("has no line `include(…)` in {CMAKE}"),
                "restore it from git",
            )
        };
        let cmake = cmake::with_sources(self.cmake, &self.sources).ok_or_else(no_place)?;
        if cmake != self.cmake {
            self.found.changed = Some(CMAKE.to_owned());
            self.rendered.push(Rendered::new(CMAKE, cmake.into_bytes()));
        }
        if !self.request.dry_run {
            crate::disk::write(&self.rendered, &[], destination, None)?;
        }
        if self.quiet {
            return Ok(());
        }
        told(adopted(
            &self.found,
            &self.package.needs().into_iter().collect::<Vec<_>>(),
            self.request.dry_run,
        ))
    }
}

/// Returns the usages of bodies; those that launch kernels of the same file know theirs.
fn usages(functions: &[Function], source: &Source) -> Vec<Usage> {
    let mut known: BTreeMap<&str, (&[Parameter], Usage)> = BTreeMap::new();
    for kernel in functions.iter().filter(|it| it.is_kernel) {
        let usage = usage::usage(kernel, &source.text, &|_| None);
        known.insert(&kernel.name, (&kernel.parameters, usage));
    }
    let called = |name: &str| {
        known
            .get(name)
            .map(|(parameters, usage)| (*parameters, usage))
    };
    functions
        .iter()
        .map(|it| usage::usage(it, &source.text, &called))
        .collect()
}

/// Why a function of the host is none that works on the GPU, though its file needs CUDA.
fn on_cpu(file: &File, function: &Function, usage: &Usage) -> Option<String> {
    if function.is_kernel || !file.needs_cuda {
        return None;
    }
    let find = |is_it: fn(&Use) -> bool| {
        let mut parameters = function.parameters.iter();
        parameters.find(|it| usage.arrays.get(&it.name).is_some_and(is_it))
    };
    if let Some(Parameter { name, .. }) = find(|it| it.is_on_cpu) {
        return Some(format!(
            "`{name}` is in memory of the CPU, from where it copies: adopt its kernels"
        ));
    }
    let touched = find(|it| it.is_touched && !it.is_on_gpu)?;
    Some(format!(
        "the CPU reads or writes `{}`, and its file needs CUDA: move it into a file that does not",
        touched.name
    ))
}

/// Returns the note on arrays of a host function that may be in memory of the CPU.
fn on_memory(function: &Function, usage: &Usage) -> Option<String> {
    let is_unknown = |it: &&Parameter| {
        it.pointers == 1 && usage.arrays.get(&it.name).is_none_or(|it| !it.is_on_gpu)
    };
    let names: Vec<_> = function
        .parameters
        .iter()
        .filter(is_unknown)
        .map(|it| format!("`{}`", it.name))
        .collect();
    let text = format!("taken for memory of the GPU: {}", names.join(", "));
    (!names.is_empty()).then_some(text)
}

/// The marks in a declaration, each with its line.
fn marks(path: &str, text: &str) -> Vec<Remark> {
    let lines: Vec<_> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(first) = line.trim_start().strip_prefix(MARK) else {
            continue;
        };
        let more = lines[at + 1..].iter().map(|it| it.trim_start());
        let more = more.take_while(|it| it.starts_with("// ") && !it.starts_with(MARK));
        let rest: String = more.map(|it| it[2..].to_owned()).collect();
        found.push(Remark::new(path, at + 1, format!("{first}{rest}")));
    }
    found
}
