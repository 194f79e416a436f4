//! Writes the stubs of the declared functions, for type checkers: `cuvec-stub LIBRARY FOLDER`. A program of
//! the build, which is in no wheel.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use cuvec_core::functions::{self, Function};
use cuvec_core::library;
use cuvec_spec::adapter_stub::{Adapter, adapter_stub};
use cuvec_spec::stub::{Shown, stub};

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> io::Result<()> {
    let mut arguments = env::args_os().skip(1);
    let (Some(library), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("usage: cuvec-stub LIBRARY FOLDER"));
    };
    // SAFETY: the build has made the library of the functions.
    unsafe { library::load(Path::new(&library)) }.map_err(io::Error::other)?;
    let functions = functions::all().map_err(io::Error::other)?;
    let functions: Vec<_> = functions.iter().map(shown).collect();
    let folder = Path::new(&folder);
    write_to(folder, &stub(&functions))?;
    for adapter in [Adapter::Torch, Adapter::Jax] {
        write_to(
            &folder.join(adapter.folder()),
            &adapter_stub(adapter, &functions),
        )?;
    }
    Ok(())
}

fn write_to(folder: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("functions.pyi"), text)
}

fn shown(function: &Function) -> Shown<'_> {
    Shown {
        spec: &function.spec,
        docstring: function.docstring(),
        description: function.description(),
        methods: function.methods.iter().map(shown).collect(),
    }
}
