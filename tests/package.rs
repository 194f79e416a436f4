//! The crate that goes to crates.io holds every template.

use std::path::Path;
use std::process::Command;

use clap::Parser;
use cuvec_new::{Args, Catalog, Templates};

use crate::project::{Project, files};

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

/// As `fuzz/` makes them, without a folder.
#[test]
fn files_in_memory_are_those_on_the_disk() {
    let catalog = Catalog::load(Templates::embedded()).unwrap();
    let outcome = Project::new("mypkg").arg("--no-git").run().success();
    let arguments = ["--author", "Ada Lovelace", "--email", "ada@example.org"];
    let args = Args::parse_from(["cuvec-new", "mypkg"].iter().chain(&arguments));
    let made = cuvec_new::files(&args, &catalog).unwrap();
    let folder = outcome.path("mypkg");
    assert_eq!(
        made.keys().collect::<Vec<_>>(),
        files(&folder).iter().collect::<Vec<_>>()
    );
    for (path, contents) in made {
        assert!(
            std::fs::read(folder.join(&path)).unwrap() == contents,
            "{path}"
        );
    }
}
