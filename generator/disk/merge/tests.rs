use super::*;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, contents) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    folder
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn adds_replaces_and_keeps() {
    let package = folder(&[("a", "new"), ("x/b", "new"), ("y/c", "new")]);
    let destination = folder(&[("a", "old"), ("x/other", "old")]);
    let workspace = tempfile::tempdir().unwrap();

    merge(
        package.path(),
        destination.path(),
        &workspace.path().join("old"),
    )
    .unwrap();

    for file in ["a", "x/b", "y/c"] {
        assert_eq!(read(destination.path(), file), "new");
    }
    assert_eq!(read(destination.path(), "x/other"), "old");
}

#[test]
fn a_failure_puts_everything_back() {
    // `z` is a file in one and a folder in the other; what comes before it in the folder's order is undone.
    let package = folder(&[("a", "new"), ("b", "new"), ("x/c", "new"), ("z", "new")]);
    let destination = folder(&[("a", "old"), ("x/other", "old"), ("z/file", "old")]);
    let workspace = tempfile::tempdir().unwrap();

    let error = merge(
        package.path(),
        destination.path(),
        &workspace.path().join("old"),
    );

    error.unwrap_err();
    for file in ["a", "x/other", "z/file"] {
        assert_eq!(read(destination.path(), file), "old");
    }
    assert!(!destination.path().join("b").exists());
    assert!(!destination.path().join("x/c").exists());
    for file in ["a", "b", "x/c", "z"] {
        assert_eq!(read(package.path(), file), "new");
    }
}
