//! `--try`: installs the package into a virtual environment of its own and runs its tests.

mod interpreter;
mod log;
mod progress;
mod step;

use std::path::{Path, PathBuf};

use crate::answers::PythonVersion;
use crate::error::{Error, Result};
use crate::tell::SCRIPTS;
pub use interpreter::Interpreter;
use log::Log;
use progress::Progress;
use step::Step;

#[derive(Debug)]
pub struct Trial {
    /// The folder of the package, as the user wrote it.
    folder: PathBuf,
    python: Interpreter,
    progress: Progress,
}

impl Trial {
    /// Finds a Python for it, which takes no package yet.
    pub fn prepare(folder: &Path, lowest: PythonVersion, quiet: bool) -> Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            python: Interpreter::find(lowest)?,
            progress: Progress::new(quiet),
        })
    }

    /// Returns pytest's summary, such as `120 passed, 14 skipped`.
    pub fn run(&self) -> Result<String> {
        let root = std::path::absolute(&self.folder)
            .map_err(|error| Error::io("find", &self.folder, error))?;
        let mut log = Log::create(&root.join(".venv"), &self.folder.join(".venv"))?;
        for step in self.steps() {
            let run = || step.run(&root, &self.folder, &mut log);
            self.progress.show(step.label, run)?;
        }
        let summary = test_summary(&log.last_step()?);
        Ok(summary.unwrap_or_else(|| "tests passed".to_owned()))
    }

    fn steps(&self) -> [Step; 5] {
        let python = format!("{SCRIPTS}/python");
        let pytest = format!("{SCRIPTS}/pytest");
        // Isolated: the folder of the package might hold a `venv.py` or a `pip.py`.
        let pip = ["-I", "-m", "pip", "install"];
        [
            Step::new(
                "create .venv",
                &self.python.command,
                &["-I", "-m", "venv", ".venv"],
            ),
            // `--group` needs 25.1, and Debian 12 comes with 23.
            Step::new("update pip", &python, &pip).and(&["--upgrade", "pip>=25.1"]),
            Step::new("install the package", &python, &pip).and(&["."]),
            Step::new("install what its tests need", &python, &pip).and(&["--group", "test"]),
            Step::new("run its tests", &pytest, &["--color", "no"]),
        ]
    }
}

/// The counts in the last line of pytest's output.
fn test_summary(output: &str) -> Option<String> {
    let line = output.lines().rev().find(|line| line.contains(" passed"))?;
    let counts = line.trim_matches(['=', ' ']);
    let end = counts.rfind(" in ").unwrap_or(counts.len());
    Some(counts[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_of_pytest() {
        let output = "....\nSKIPPED [14] tests/test_gpu.py:3: no GPU\n===== 120 passed, 14 skipped in 3.21s =====\n";
        assert_eq!(test_summary(output).unwrap(), "120 passed, 14 skipped");
        assert_eq!(test_summary("1 passed in 0.01s\n").unwrap(), "1 passed");
        assert_eq!(test_summary("no tests ran"), None);
    }
}
