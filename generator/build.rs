//! Packs `runtime/` into the sdist that packages carry, for `catalog/templates.rs`.
//!
//! The crate on crates.io has the folder as `runtime.tar`: Cargo leaves nested packages out.

mod leftovers;
#[allow(dead_code, reason = "the tool reads it")]
mod sdist;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error};

use leftovers::is_leftover;

/// Contents by paths in the runtime, with `/` on all systems.
type Files = BTreeMap<String, Vec<u8>>;

fn main() -> Result<(), Box<dyn error::Error>> {
    // `include_dir!` only notices files it already knows.
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=generator/build.rs");
    println!("cargo::rerun-if-changed=generator/leftovers.rs");
    println!("cargo::rerun-if-changed=generator/sdist.rs");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let version = env::var("CARGO_PKG_VERSION")?;
    let version = match commit(&root) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=CUVEC_NEW_VERSION={version}");
    let folder = root.join("runtime");
    // An sdist has nothing of it but the crate that this one depends on.
    let folder = match folder.join("VERSION").is_file() {
        true => {
            watch(&folder)?;
            folder
        }
        false => unpacked(&root.join("runtime.tar"), &out.join("runtime"))?,
    };
    let mut files = Files::new();
    collect(&folder, "", &mut files)?;
    fs::write(out.join("runtime.tar.gz"), sdist::pack(&files)?)?;
    Ok(())
}

/// The commit that is built, if the sources are the top of a git repository; a crate from a registry is in none, or in
/// the path on the machine that builds it.
fn commit(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .current_dir(root)
            .args(arguments)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    // A line is added to it whenever another commit is checked out.
    let log = root.join(git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// Cargo looks into folders as deep as they are, so not into build folders.
fn watch(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed=runtime/VERSION");
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let (builds, sources): (Vec<_>, Vec<_>) = entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .partition(|name| is_leftover(name));
    if builds.is_empty() {
        println!("cargo::rerun-if-changed=runtime");
    }
    for name in sources {
        println!("cargo::rerun-if-changed=runtime/{name}");
    }
    Ok(())
}

fn unpacked(archive: &Path, folder: &Path) -> io::Result<PathBuf> {
    println!("cargo::rerun-if-changed=runtime.tar");
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let missing = |error| io::Error::other(format!("{}: {error}", archive.display()));
    let file = File::open(archive).map_err(missing)?;
    tar::Archive::new(file).unpack(folder)?;
    Ok(folder.to_owned())
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_leftover(&name) {
            continue;
        }
        let path = format!("{prefix}{name}");
        match entry.file_type()?.is_dir() {
            true => collect(&entry.path(), &format!("{path}/"), files)?,
            false => drop(files.insert(path, fs::read(entry.path())?)),
        }
    }
    Ok(())
}
