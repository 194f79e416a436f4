//! The one way in which files are read: nothing is waited for, and nothing without an end is taken for a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that are read of a file: none that is made, read or merged here has nearly as many.
pub const LARGEST: u64 = 16 << 20;

/// The contents of a regular file, wherever links lead.
pub fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut contents = Vec::new();
    // Files in /proc have no useful length, and some are read in whole pages.
    file.take(LARGEST + 4096).read_to_end(&mut contents)?;
    match contents.len() as u64 <= LARGEST {
        true => Ok(contents),
        false => Err(io::Error::other(format!(
            "it has more than {} MiB",
            LARGEST >> 20
        ))),
    }
}

/// The same as a text; what is not UTF-8 in it is replaced.
pub fn text(path: &Path) -> io::Result<String> {
    let contents = contents(path)?;
    Ok(String::from_utf8_lossy(&contents).into_owned())
}

/// Without waiting for who writes into a pipe.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}
