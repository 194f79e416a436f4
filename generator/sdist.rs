//! The sdist of `cuvec-runtime`: the same bytes for the same files, on any machine. `build.rs` uses it too.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};

/// The version of the sdist, which is this program's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// 1980-01-01: the earliest time that a zip, and so a wheel made of the sdist, can record.
const TIME: u64 = 315_532_800;

/// Its file name, as PyPI has it.
pub fn name() -> String {
    format!("cuvec_runtime-{VERSION}.tar.gz")
}

/// Packs files, given by their paths in `runtime/`, with the metadata of an sdist.
pub fn pack<T: AsRef<[u8]>>(files: &BTreeMap<String, T>) -> io::Result<Vec<u8>> {
    let gz = GzBuilder::new().operating_system(255);
    let mut tar = tar::Builder::new(gz.write(Vec::new(), Compression::best()));
    let readme = files.get("README.md").map_or(&b""[..], AsRef::as_ref);
    append(
        &mut tar,
        "PKG-INFO",
        &[METADATA.as_bytes(), readme].concat(),
    )?;
    for (path, contents) in files.iter().filter(|(path, _)| !is_of_repository(path)) {
        append(&mut tar, path, contents.as_ref())?;
    }
    tar.into_inner()?.finish()
}

/// Checks whether only the repository needs a file: the tests of crates, and `check`, which runs them.
fn is_of_repository(path: &str) -> bool {
    path == "check" || path.split('/').any(|folder| folder == "tests")
}

/// Unpacks the files of an sdist, by their paths in `runtime/`.
pub fn unpack(sdist: &[u8]) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(GzDecoder::new(sdist)).entries()? {
        let mut entry = entry?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let mut contents = Vec::new();
        entry.read_to_end(&mut contents)?;
        if let Some((_, path)) = path.split_once('/')
            && path != "PKG-INFO"
        {
            files.insert(path.to_owned(), contents);
        }
    }
    Ok(files)
}

/// `PKG-INFO`, up to the description: what `pyproject.toml` of the runtime says.
const METADATA: &str = concat!(
    "Metadata-Version: 2.4\n",
    "Name: cuvec-runtime\n",
    "Version: ",
    env!("CARGO_PKG_VERSION"),
    "\n",
    "Summary: Runtime of Python packages that cuvec-new scaffolds: what they are built with\n",
    "License-Expression: MIT\n",
    "License-File: LICENSE\n",
    "Requires-Python: >=3.11\n",
    "Description-Content-Type: text/markdown\n",
    "\n",
);

fn append(tar: &mut tar::Builder<impl Write>, path: &str, contents: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_ustar();
    header.set_size(contents.len() as u64);
    header.set_mtime(TIME);
    // Scripts can be run; nothing else of a file's permissions is the same on all machines.
    header.set_mode(if contents.starts_with(b"#!") {
        0o755
    } else {
        0o644
    });
    let path = format!("cuvec_runtime-{VERSION}/{path}");
    tar.append_data(&mut header, path, contents)
}
