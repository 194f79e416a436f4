//! Output of a trial's programs, in a file that git ignores.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{Error, Result};

const NAME: &str = "cuvec-new.log";

#[derive(Debug)]
pub struct Log {
    /// As the user would write it.
    pub path: PathBuf,
    file: File,
    /// Where the output of the last step begins.
    start: u64,
}

impl Log {
    /// `shown` is the path of `folder` as the user would write it.
    pub fn create(folder: &Path, shown: &Path) -> Result<Self> {
        let path = shown.join(NAME);
        let file = fs::create_dir_all(folder).and_then(|()| {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(true);
            options.open(folder.join(NAME))
        });
        let file = file.map_err(|error| Error::io("write", &path, error))?;
        Ok(Self {
            path,
            file,
            start: 0,
        })
    }

    /// Sends the output of a command here, below a line that says what it was.
    ///
    /// `typed` is the command as one would type it.
    pub fn redirect(&mut self, command: &mut Command, typed: &str) -> Result<()> {
        let mut redirect = || {
            self.file.seek(SeekFrom::End(0))?;
            writeln!(self.file, "$ {typed}")?;
            self.start = self.file.stream_position()?;
            // Clones share the position, so that the two streams do not overwrite each other.
            command.stdout(Stdio::from(self.file.try_clone()?));
            command.stderr(Stdio::from(self.file.try_clone()?));
            Ok(())
        };
        redirect().map_err(|error| Error::io("write", &self.path, error))
    }

    pub fn last_step(&mut self) -> Result<String> {
        let mut bytes = Vec::new();
        let mut read = || {
            self.file.seek(SeekFrom::Start(self.start))?;
            self.file.read_to_end(&mut bytes)
        };
        read().map_err(|error| Error::io("read", &self.path, error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
