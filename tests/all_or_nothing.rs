//! Whatever happens, there is a whole package or none.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use snapbox::str;

use crate::layers;
use crate::project::{Project, command, entries, files, make_executable, write};

/// Tells that it was started, and does not end by itself: holds a run between writing and publishing.
const STUCK: &str =
    "case \"$*\" in *commit*--message*) echo $$ > \"$HOME/stuck\"; exec sleep 60;; esac";

#[test]
fn two_runs_at_once() {
    let root = tempfile::tempdir().unwrap();
    for stderr in losers(root.path()) {
        assert!(
            stderr.starts_with("error: destination `mypkg` already exists"),
            "{stderr}"
        );
    }
}

#[test]
fn two_runs_at_once_in_an_empty_folder() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("mypkg")).unwrap();
    for stderr in losers(root.path()) {
        let busy = stderr.starts_with("error: another `cuvec-new` is at work in `mypkg`");
        let late = stderr.starts_with("error: destination `mypkg` already exists");
        assert!(busy || late, "{stderr}");
    }
}

/// Returns the output of all of eight runs but the one that made the package.
fn losers(root: &Path) -> Vec<String> {
    let layers = root.join("layers/templates");
    layers::make(&layers);
    let start = |_| {
        let mut command = command(root);
        command.args(["mypkg", "--templates"]).arg(&layers);
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let runs: Vec<Child> = (0..8).map(start).collect();
    let outputs = runs.into_iter().map(|run| run.wait_with_output().unwrap());
    let (winners, losers): (Vec<_>, Vec<_>) = outputs.partition(|output| output.status.success());

    assert_eq!(winners.len(), 1);
    assert_eq!(entries(root), ["mypkg"]);
    assert_eq!(files(&root.join("mypkg")).len(), 5);
    assert!(root.join("mypkg/.git/HEAD").exists());
    assert!(losers.iter().all(|output| output.status.code() == Some(1)));
    losers
        .into_iter()
        .map(|output| String::from_utf8(output.stderr).unwrap())
        .collect()
}

#[test]
fn a_workspace_keeps_other_runs_out() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("mypkg/.cuvec-new-workspace/new/LICENSE", "");
    let outcome = project.run().failure(
        1,
        str![[r#"
error: another `cuvec-new` is at work in `mypkg`
hint: if none is running, remove what it left: `rm -r mypkg/.cuvec-new-workspace`

"#]],
    );
    assert_eq!(outcome.entries("mypkg"), [".cuvec-new-workspace"]);
}

#[test]
fn a_file_that_cannot_be_written_whole() {
    // As on a full disk, but of one process only. XFSZ would kill it otherwise.
    let large = "x".repeat(5000);
    let project = Project::new("mypkg")
        .with_layers()
        .layer("common/large.txt", &large);
    let (root, layers) = (project.path(""), project.path("layers/templates"));
    let output = Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_cuvec-new"))
        .args(["mypkg", "--output", "a/b", "--no-git", "--templates"])
        .arg(layers)
        .current_dir(&root)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        stderr,
        "error: failed to write `a/b/large.txt`: File too large (os error 27)\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(entries(&root), [""; 0]);
}

#[test]
fn a_full_disk() {
    // A file system of the test's own takes a user namespace, which not every machine allows.
    let project = Project::new("mypkg").with_layers();
    let project = project.layer("common/large.bin", &"x".repeat(1 << 20));
    fs::create_dir(project.path("disk")).unwrap();
    let script = "mount -t tmpfs -o size=256k tmpfs disk || exit 77; cd disk; \"$0\" \"$@\"; code=$?; ls -A; exit $code";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_cuvec-new"))
        .args(["mypkg", "--no-git", "--templates"])
        .arg(project.path("layers/templates"))
        .current_dir(project.path(""))
        .output();
    let Ok(output) = output else {
        return eprintln!("skipped: no `unshare`");
    };
    let stderr = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(77) || stderr.contains("unshare") {
        return eprintln!("skipped: no file system for the test: {stderr}");
    }
    snapbox::assert_data_eq!(
        stderr,
        str![[r#"
error: failed to write `mypkg/large.bin`: No space left on device (os error 28)
hint: free some space, or choose another disk with `--output DIR`; nothing was left behind

"#]]
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_folder_one_may_not_write_to() {
    for options in [&["mypkg"][..], &["mypkg", "--dry-run"]] {
        let (output, left) = in_a_locked_folder(options, &[]);
        snapbox::assert_data_eq!(
            String::from_utf8(output.stderr).unwrap(),
            str![[r#"
error: failed to create a folder in `.`: permission denied
hint: choose a folder you may write to with `--output DIR`

"#]]
        );
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(left, [""; 0]);
    }
}

/// A folder of the package in which nothing can be replaced.
#[test]
fn dry_run_sees_a_folder_in_the_destination_that_is_locked() {
    let options = ["mypkg", "--dry-run", "--force", "--output", "."];
    let (output, left) = in_a_locked_folder(&options, &["src/lib.rs"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(left, ["src"]);
    // As nobody, in a folder of nobody's.
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with("error: failed to create a folder in `.`: permission denied"),
        "{stderr}"
    );
}

/// Runs it where nothing can be written, and says what is there then.
fn in_a_locked_folder(options: &[&str], files: &[&str]) -> (Output, Vec<String>) {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new("mypkg").with_layers();
    let program = project.path("home/cuvec-new");
    write(&program, "");
    fs::copy(env!("CARGO_BIN_EXE_cuvec-new"), &program).unwrap();
    make_executable(&program);
    let locked = project.path("locked");
    fs::create_dir(&locked).unwrap();
    for file in files {
        write(&locked.join(file), "mine");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(project.path(""), fs::Permissions::from_mode(0o755)).unwrap();

    let mut command = Command::new(program);
    command.args(options).args(["--no-git", "--templates"]);
    command
        .arg(project.path("layers/templates"))
        .current_dir(&locked);
    // Root may write everywhere, so the test runs as nobody then.
    if fs::metadata("/proc/self").is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == 0) {
        command.uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    let left = entries(&locked);
    (output, left)
}

#[test]
fn ctrl_c_before_a_new_folder_appears() {
    let outcome = interrupted("INT", "mypkg", |_| ());
    assert_eq!(outcome.entries, [""; 0]);
}

#[test]
fn sigterm_with_folders_above_the_destination() {
    let outcome = interrupted("TERM", "a/b", |_| ());
    assert_eq!(outcome.entries, [""; 0]);
}

#[test]
fn ctrl_c_before_anything_is_added() {
    let outcome = interrupted("INT", "mypkg", |root| {
        write(&root.join("mypkg/notes.txt"), "mine")
    });
    assert_eq!(outcome.entries, ["mypkg"]);
    assert_eq!(outcome.files, ["mypkg/notes.txt"]);
}

#[test]
fn killed_outright() {
    let (mut run, root) = stuck("mypkg", |_| ());
    signal(&run, "KILL");
    run.wait().unwrap();
    let left = entries(root.path());
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].starts_with(".cuvec-new-"), "{left:?}");
}

struct Interrupted {
    entries: Vec<String>,
    files: Vec<String>,
}

/// Sends a signal to a run that has written everything and not published it, and looks at what is left.
fn interrupted(name: &str, output: &str, prepare: impl FnOnce(&Path)) -> Interrupted {
    let (run, root) = stuck(output, prepare);
    signal(&run, name);
    let output = run.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: interrupted\n"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    assert_eq!(output.status.code(), Some(130));
    let git = fs::read_to_string(root.path().join("home/stuck")).unwrap();
    assert!(
        !Path::new("/proc").join(git.trim()).exists(),
        "git was left running"
    );
    let entries = entries(root.path());
    let files = entries.iter().flat_map(|entry| {
        let below = files(&root.path().join(entry)).into_iter();
        below.map(move |file| format!("{entry}/{file}"))
    });
    Interrupted {
        files: files.collect(),
        entries,
    }
}

/// A run that waits for its git, which waits for a minute.
fn stuck(output: &str, prepare: impl FnOnce(&Path)) -> (Child, tempfile::TempDir) {
    let project = Project::new("mypkg")
        .with_layers()
        .arg("--force")
        .output(output);
    let project = project.program("git", STUCK);
    prepare(&project.path(""));
    let (child, root) = project.start();
    let deadline = Instant::now() + Duration::from_secs(120);
    let written = |path| fs::read_to_string(path).is_ok_and(|pid| pid.ends_with('\n'));
    while !written(root.path().join("home/stuck")) {
        assert!(Instant::now() < deadline, "git was not started");
        std::thread::sleep(Duration::from_millis(5));
    }
    (child, root)
}

fn signal(run: &Child, name: &str) {
    let status = Command::new("sh")
        .args(["-c", &format!("kill -{name} {}", run.id())])
        .status();
    assert!(status.unwrap().success());
}
