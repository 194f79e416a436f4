//! The folder where builds keep what they can use again, such as the core, as `cuvec_build/cache.py` of the runtime finds it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::package::Package;
use crate::home;
use crate::tell::Finding;
use crate::wording::quote;

pub fn check(package: &Package) -> Vec<Finding> {
    let set = env::var("CUVEC_CACHE").unwrap_or_default();
    let without = |why| Finding::ok("core", format!("none, for {why}: every build compiles all"));
    let folder = match (set.as_str(), folder(&set, &package.folder)) {
        ("0", _) => return vec![without("CUVEC_CACHE is 0")],
        (_, None) => return vec![without("there is no home")],
        (_, Some(folder)) => folder,
    };
    let shown = folder.display();
    let core = match cores(&folder) {
        0 => format!("none in {shown} yet: the first build compiles it"),
        1 => format!("one compiled in {shown}"),
        count => format!("{count} compiled in {shown}"),
    };
    let mut findings = vec![Finding::ok("core", core)];
    let size = size(&folder) / 1_000_000;
    if size > 0 {
        let remove = if cfg!(windows) { "rmdir /s" } else { "rm -r" };
        let path = quote(&folder);
        let found = format!("{size} MB in {shown}; `{remove} {path}` empties it");
        findings.push(Finding::ok("cache", found));
    }
    findings
}

/// Where a build of the package has it: there a relative path begins.
fn folder(set: &str, package: &Path) -> Option<PathBuf> {
    let folder = match set {
        "" => home::folder("LOCALAPPDATA", "XDG_CACHE_HOME", ".cache")?.join("cuvec"),
        set => set.into(),
    };
    match folder.strip_prefix("~") {
        Ok(below) => Some(env::home_dir()?.join(below)),
        Err(_) => std::path::absolute(package.join(folder)).ok(),
    }
}

fn cores(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with("core-"))
        .count()
}

/// Bytes of the files in a folder and in those in it.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
