//! The crate that goes to crates.io holds every template.

use std::path::Path;
use std::process::Command;

use crate::project::files;

#[test]
fn every_template_is_packaged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let listed = String::from_utf8(output.stdout).unwrap();
    let listed: Vec<_> = listed.lines().collect();
    let templates = files(&root.join("templates"));
    let cache = |file: &String| file.contains("__pycache__") || file.contains("_cache/");
    let missing: Vec<_> = templates
        .iter()
        .filter(|file| !cache(file) && !listed.contains(&&*format!("templates/{file}")))
        .collect();
    assert!(missing.is_empty(), "not packaged: {missing:?}");
    assert!(listed.contains(&"LICENSE"));
}
