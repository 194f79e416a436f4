//! The folder where builds keep what they can use again, such as the core, as `runtime/cmake/CacheFolder.cmake` finds it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::package::Package;
use crate::home;
use crate::tell::Finding;

pub fn check(_package: &Package) -> Vec<Finding> {
    let set = env::var("CUVEC_CACHE").unwrap_or_default();
    let found = match (set.as_str(), folder(&set)) {
        ("0", _) => "none, for CUVEC_CACHE is 0: every build compiles all".to_owned(),
        (_, None) => "none, for there is no home: every build compiles all".to_owned(),
        (_, Some(folder)) => {
            let shown = folder.display();
            let size = size(&folder) / 1_000_000;
            match cores(&folder) {
                0 => format!("none in {shown} yet: the first build compiles it"),
                1 => format!("one compiled in {shown}, where builds keep {size} MB"),
                count => format!("{count} compiled in {shown}, where builds keep {size} MB"),
            }
        }
    };
    vec![Finding::ok("core", found)]
}

fn folder(set: &str) -> Option<PathBuf> {
    if !set.is_empty() {
        return Some(set.into());
    }
    let caches = home::folder("LOCALAPPDATA", "XDG_CACHE_HOME", ".cache");
    caches.map(|caches| caches.join("cuvec"))
}

/// How many builds of the core are there.
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
