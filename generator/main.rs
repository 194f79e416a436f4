//! The `cuvec-new` command.

use std::process::ExitCode;

use cuvec_new::{Args, Catalog, Error, Templates};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            ExitCode::from(error.exit_code())
        }
    }
}

fn run() -> Result<(), Error> {
    let embedded = Catalog::load(Templates::embedded())?;
    let args = Args::parse_with(&embedded)?;
    match &args.templates {
        None => cuvec_new::run(&args, &embedded),
        Some(folder) => {
            let catalog = Catalog::load(Templates::from_folder(folder)?)?;
            cuvec_new::run(&args, &catalog)
        }
    }
}
