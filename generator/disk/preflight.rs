//! Checks whether a package could be written, without writing.

use std::io;
use std::path::Path;

use super::destination::{Destination, Found};
use super::workspace::check_free;
use crate::error::{Error, Result};
use crate::package::Rendered;

/// Fails where `write` would, as far as that can be seen without writing.
pub fn try_write(files: &[Rendered], destination: &Destination) -> Result<Found> {
    check_free(destination)?;
    let found = destination.survey(files)?;
    for folder in destination.written_folders(files) {
        let action = "create a folder in";
        check_writable(&folder).map_err(|error| Error::io(action, folder, error))?;
    }
    Ok(found)
}

#[cfg(unix)]
fn check_writable(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    // Only its kind: the message is then the same as in a run.
    access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| io::Error::from(error).kind().into())
}

/// Windows has no simple answer.
#[cfg(not(unix))]
fn check_writable(_: &Path) -> io::Result<()> {
    Ok(())
}
