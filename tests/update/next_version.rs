//! Packages of all bindings and kernel languages become packages of an invented next version of the real templates.

use std::fs;
use std::path::Path;

use super::{contents, copy_files, replace};
use crate::package_files::{combinations, tree};
use crate::project::{Project, write};

/// The templates of the next version: in both parts it changes, adds, renames and deletes.
fn next(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy_files(&root.join("templates"), folder);
    let runtime = folder.with_file_name("runtime");
    for (path, contents) in tree("runtime/") {
        let path = runtime.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    let common = folder.join("common");
    replace(
        &common.join("README.md.hbs"),
        "GPU functions for Python.",
        "Functions for Python, on the GPU.",
    );
    write(&common.join("CITATION.cff"), "cff-version: 1.2.0\n");
    fs::create_dir(common.join(".well-known")).unwrap();
    fs::rename(
        common.join("SECURITY.md"),
        common.join(".well-known/SECURITY.md"),
    )
    .unwrap();
    fs::remove_file(common.join(".clang-format")).unwrap();
    replace(
        &runtime.join("constraints.txt"),
        "\n",
        "\n# The next version.\n",
    );
    write(&runtime.join("core/next.txt"), "next\n");
    fs::rename(
        runtime.join("install-rust.sh"),
        runtime.join("cmake/install-rust.sh"),
    )
    .unwrap();
    fs::remove_file(runtime.join("release.txt")).unwrap();
}

/// Edits a package as owners do.
fn edit(folder: &Path) {
    replace(
        &folder.join("README.md"),
        "## Limits\n",
        "## Limits\n\n- Mine.\n",
    );
    replace(&folder.join("SECURITY.md"), "# Security", "# Safety");
    replace(&folder.join("CMakeLists.txt"), "\n", "\n# mine\n");
    write(&folder.join("kernels/mine.h"), "// mine\n");
    fs::remove_file(folder.join("tests/test_dot.py")).unwrap();
}

#[test]
fn all_bindings_and_kernel_languages() {
    let templates = tempfile::tempdir().unwrap();
    let templates = templates.path().join("templates");
    next(&templates);
    for (bridge, kernels) in combinations() {
        let made = |project: Project| {
            project
                .bridge(&bridge)
                .kernels(&kernels)
                .arg("--no-git")
                .run()
                .success()
        };
        let outcome = made(Project::new("mypkg"));
        edit(&outcome.path("mypkg"));
        let update = outcome
            .again("update")
            .arg("mypkg")
            .arg("--templates")
            .arg(&templates);
        let outcome = update.run().success();
        let fresh = made(Project::new("mypkg").arg("--templates").arg(&templates));

        let mut expected = contents(&fresh.path("mypkg"));
        let mut edit = |path: &str, from: &str, to: &str| {
            let text = String::from_utf8(expected[path].clone()).unwrap();
            expected.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
        };
        edit("README.md", "## Limits\n", "## Limits\n\n- Mine.\n");
        edit(".well-known/SECURITY.md", "# Security", "# Safety");
        edit("CMakeLists.txt", "\n", "\n# mine\n");
        expected.insert("kernels/mine.h".to_owned(), b"// mine\n".to_vec());
        expected.remove("tests/test_dot.py");
        let found = contents(&outcome.path("mypkg"));
        let paths = |files: &std::collections::BTreeMap<String, _>| {
            files.keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(paths(&found), paths(&expected), "{bridge} {kernels}");
        for (path, contents) in &expected {
            assert!(found[path] == *contents, "{bridge} {kernels}: {path}");
        }
        let again = outcome
            .again("update")
            .arg("mypkg")
            .arg("--check")
            .arg("--templates")
            .arg(&templates);
        again.run().success();
    }
}

/// From each combination to the next one and so to all of them, with nothing left of those before.
#[test]
fn from_all_bindings_to_others() {
    let all = combinations();
    let mut outcome = Project::new("mypkg")
        .bridge(&all[0].0)
        .kernels(&all[0].1)
        .arg("--no-git")
        .run()
        .success();
    write(&outcome.path("mypkg/notes.txt"), "mine\n");
    for (bridge, kernels) in all[1..].iter().chain([&all[0]]) {
        let update = outcome
            .again("update")
            .arg("mypkg")
            .bridge(bridge)
            .kernels(kernels);
        outcome = update.run().success();
        let fresh = Project::new("mypkg")
            .bridge(bridge)
            .kernels(kernels)
            .arg("--no-git")
            .run()
            .success();
        let mut found = contents(&outcome.path("mypkg"));
        assert_eq!(found.remove("notes.txt"), Some(b"mine\n".to_vec()));
        assert!(
            found == contents(&fresh.path("mypkg")),
            "{bridge} {kernels}"
        );
    }
}
