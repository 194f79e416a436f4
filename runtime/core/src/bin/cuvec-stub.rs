//! Writes the stub of the declared functions, for type checkers: `cuvec-stub LIBRARY FILE`. A program of
//! the build, which is in no wheel.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use cuvec_core::{functions, library};
use cuvec_spec::stub::stub;

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
    let functions = functions.iter().map(|it| (&it.spec, it.docstring()));
    fs::write(file, stub(functions))
}
