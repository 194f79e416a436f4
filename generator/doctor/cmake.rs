//! CMake, which pip fetches where there is none.

use super::package::Package;
use super::programs::{Version, ask, find};
use crate::tell::Finding;

const LOWEST: Version = Version(3, 27);

pub fn check(_package: &Package) -> Vec<Finding> {
    let fetched = "pip fetches one for the build";
    let Some(path) = find(&["cmake"], &[]) else {
        return vec![Finding::ok("CMake", format!("none: {fetched}"))];
    };
    let shown = path.display();
    let version = ask(&path, &["--version"]);
    vec![match version.as_deref().and_then(Version::find) {
        Some(version) if version >= LOWEST => Finding::ok("CMake", format!("{version} at {shown}")),
        Some(version) => Finding::ok(
            "CMake",
            format!("{version} at {shown} is older than {LOWEST}: {fetched}"),
        ),
        None => Finding::problem(
            "CMake",
            format!("{shown} does not run"),
            "take it off the PATH, and pip fetches one",
        ),
    }]
}
