//! A compiler that is run, and explained where the code needs parts of CUDA that it lacks.

use std::io::{self, Read};
use std::process::{Command, ExitCode};

use crate::pattern;

/// Runs a command; returns its code, and all that it says.
pub fn run(command: &[String]) -> io::Result<(ExitCode, String)> {
    let (mut reader, writer) = io::pipe()?;
    let mut program = Command::new(&command[0]);
    program
        .args(&command[1..])
        .stdout(writer.try_clone()?)
        .stderr(writer);
    let mut running = program.spawn()?;
    drop(program); // which has the other end
    let mut said = Vec::new();
    reader.read_to_end(&mut said)?;
    let code = running.wait()?.code().map_or(Ok(1), u8::try_from);
    Ok((
        code.unwrap_or(1).into(),
        String::from_utf8_lossy(&said).into_owned(),
    ))
}

/// Checks whether a command compiles a file of kernels/ for the CPU only.
pub fn is_without_cuda(command: &[String]) -> bool {
    let has_cuda = command.iter().any(|it| it.starts_with("-DCUVEC_CUDA"));
    !has_cuda && command.iter().any(|it| it == "-xc++" || it == "/TP")
}

/// Advice on the first error that is about a name of CUDA's.
pub fn name_of_cuda(said: &str) -> Option<String> {
    let name = pattern!(
        r"\b(?:(?:cub|thrust|cooperative_groups|nvcuda|cuda)\b|cuda[A-Z_]|cu(?:fft|blas|rand|solver|sparse))[\w/.]*"
    );
    said.lines().find_map(|line| {
        let (place, error) = line.split_once("error: ")?;
        let error: String = error.chars().take(1000).collect();
        let name = name.find(&error)?.as_str();
        let place = place.split("fatal ").next().unwrap_or_default();
        Some(format!(
            "{place}error: `{name}` is part of CUDA, which is not used here: put what needs it between `#ifdef CUVEC_CUDA` \
             and `#endif`"
        ))
    })
}

/// Where a header of a library of CUDA comes from, which nvcc does not bring.
pub fn missing_header(said: &str) -> Option<String> {
    let missing = pattern!(
        r#"error: (?:cannot open source file "|'|)((cu(?:rand|fft|blas|solver|sparse))\w*\.h)(?:"|: No such|' file not)"#
    );
    let found = missing.captures(said)?;
    Some(format!(
        "error: `{}` is not there: add `{}` to `cuda-toolkit[nvcc,cccl]` in pyproject.toml, at `build.requires` and in the \
         group `build`",
        &found[1], &found[2]
    ))
}
