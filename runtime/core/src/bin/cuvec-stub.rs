//! Writes the stub of the declared functions, for type checkers: `cuvec-stub LIBRARY FILE`. A program of
//! the build, which is in no wheel.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use cuvec_core::functions::{self, Function};
use cuvec_core::library;
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
    let (Some(library), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("usage: cuvec-stub LIBRARY FILE"));
    };
    // SAFETY: the build has made the library of the functions.
    unsafe { library::load(Path::new(&library)) }.map_err(io::Error::other)?;
    let functions = functions::all().map_err(io::Error::other)?;
    fs::write(file, stub(functions.iter().map(shown)))
}

fn shown(function: &Function) -> Shown<'_> {
    Shown {
        spec: &function.spec,
        docstring: function.docstring(),
        methods: function.methods.iter().map(shown).collect(),
    }
}
