//! Rebuilds the crate when a file is added to `templates/`: `include_dir!` only notices files it already knows.

fn main() {
    println!("cargo::rerun-if-changed=templates");
}
