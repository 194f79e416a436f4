//! Files in memory, and the files of a folder on disk.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::read;
use crate::wording::hidden;

/// Contents of one file; borrowed when it is part of the binary.
pub type Contents = Cow<'static, [u8]>;

/// The name of a file, which becomes one in the package and is shown on the terminal.
fn name<'a>(name: &'a OsStr, prefix: &str) -> Result<&'a str> {
    let refused = |problem| Error::template(format!("{prefix}{}", name.to_string_lossy()), problem);
    let name = name
        .to_str()
        .ok_or_else(|| refused("its name is not UTF-8"))?;
    if name.contains(hidden) {
        return Err(refused("its name holds a character that cannot be shown"));
    }
    Ok(name)
}

/// Reads all files below a folder, but for those whose name, or folder's name, is not wanted.
pub fn collect_folder(
    folder: &Path,
    prefix: &str,
    wanted: &dyn Fn(&str) -> bool,
    files: &mut BTreeMap<String, Contents>,
) -> Result<()> {
    let failed = |source| Error::io("read the template folder", folder, source);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        let file_name = entry.file_name();
        let name = name(&file_name, prefix)?;
        if !wanted(name) {
            continue;
        }
        let name = format!("{prefix}{name}");
        let failed = |source| Error::io("read the template", &path, source);
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_symlink() {
            // It may lead to files of whoever uses these templates.
            return Err(Error::template(name, "it is a link"));
        } else if kind.is_dir() {
            collect_folder(&path, &format!("{name}/"), wanted, files)?;
        } else if kind.is_file() {
            let contents = read::contents(&path).map_err(failed)?;
            files.insert(name, Cow::Owned(contents));
        } else {
            // A pipe would be waited for, a device might never end.
            return Err(Error::template(name, "it is no regular file"));
        }
    }
    Ok(())
}
