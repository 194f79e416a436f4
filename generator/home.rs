//! The folders in which programs keep what is the user's own.

use std::env;
use std::path::PathBuf;

/// The folder that a variable names, on Windows or elsewhere, or else one in the home; none without a home.
pub fn folder(windows: &str, others: &str, in_home: &str) -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    match cfg!(windows) {
        true => variable(windows).map(PathBuf::from),
        false => variable(others)
            .map(PathBuf::from)
            .or_else(|| Some(env::home_dir()?.join(in_home))),
    }
}
