//! Files that builds and tests leave in a folder of sources. `build.rs` uses it too.

/// Checks whether a file or folder of this name is not a source: a package's `.gitignore` has it.
pub fn is_leftover(name: &str) -> bool {
    let folders = ["__pycache__", "build", "target", ".hypothesis", ".venv"];
    let ends = [".so", ".pyd", ".dylib", ".pyc", "_cache"];
    folders.contains(&name) || ends.iter().any(|end| name.ends_with(end))
}
