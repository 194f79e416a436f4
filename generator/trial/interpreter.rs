//! A Python to make the virtual environment with.

use crate::answers::PythonVersion;
use crate::error::{Error, Result};
use crate::process;

/// Prints major and minor version, and a third word if it can make no virtual environments (Debian's `python3-venv`
/// is missing).
const PROBE: &str = "
import sys
print(*sys.version_info[:2], end=' ')
try:
    import venv, ensurepip
except ImportError:
    print('bare')
";

#[derive(Debug)]
pub struct Interpreter {
    pub command: String,
}

impl Interpreter {
    /// The Python that users start as `python3`, or another one on the PATH if that one is too old.
    pub fn find(lowest: PythonVersion) -> Result<Self> {
        let mut found = Vec::new();
        let mut bare = false;
        for (command, probed) in candidates() {
            let (major, minor) = probed.version;
            let new_enough = (major, minor) >= lowest.parts();
            if new_enough && !probed.bare {
                return Ok(Self { command });
            }
            bare |= new_enough;
            let without = if probed.bare { " without venv" } else { "" };
            found.push(format!("`{command}` ({major}.{minor}{without})"));
        }
        Err(Error::NoPython {
            lowest: lowest.to_string(),
            found,
            bare,
        })
    }

    /// One that runs scripts, which need no virtual environment.
    pub fn for_scripts() -> Option<Self> {
        let is_new = |it: &(_, Probed)| it.1.version >= PythonVersion::LOWEST.parts();
        let found = candidates().find(is_new);
        found.map(|(command, _)| Self { command })
    }
}

fn candidates() -> impl Iterator<Item = (String, Probed)> {
    let versions = PythonVersion::supported().rev();
    let versioned = versions.map(|version| format!("python{version}"));
    let names = ["python3", "python"].map(str::to_owned).into_iter();
    names
        .chain(versioned)
        .filter_map(|command| Some((command.clone(), probe(&command)?)))
}

struct Probed {
    version: (u8, u8),
    bare: bool,
}

/// Isolated: the current folder might hold a `venv.py`.
fn probe(command: &str) -> Option<Probed> {
    let text = process::answer(process::program(command).args(["-I", "-c", PROBE])).ok()?;
    let mut words = text.split_whitespace();
    let version = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Probed {
        version,
        bare: words.next().is_some(),
    })
}
