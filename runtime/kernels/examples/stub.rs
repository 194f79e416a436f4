//! Writes the stub of the declared functions, for type checkers: `stub FILE`. A program of the
//! build's, which is in no wheel.

use std::{env, fs, io};

fn main() -> io::Result<()> {
    let path = env::args_os().nth(1);
    let path = path.ok_or_else(|| io::Error::other("usage: stub FILE"))?;
    let functions = kernels::functions().map_err(io::Error::other)?;
    fs::write(path, declared::stub::stub(&functions))
}
