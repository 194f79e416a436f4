//! `kill -9` at any moment: there is a whole package, or none, or what is missing and how to put it in place.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use snapbox::str;
use tempfile::TempDir;

use crate::layers;
use crate::project::{Outcome, Project, command, entries, files, write};

const KILLS: u32 = 40;

#[test]
fn a_new_folder_is_whole_or_absent() {
    let runs = Runs::new(&[]);
    let ends = runs.kill(|_| ());
    let mut left = 0;
    for (n, root) in ends.iter().enumerate() {
        let mut names = entries(root.path());
        if names.iter().any(|name| name == "mypkg") {
            runs.check_whole(&root.path().join("mypkg"));
            names.retain(|name| name != "mypkg");
        }
        // Hidden, and named after the program.
        let ours = |name: &String| name.starts_with(".cuvec-new-");
        assert!(names.iter().all(ours), "{names:?}");
        left += names.len();
        if n % 8 == 0 {
            runs.complete(root.path());
        }
    }
    assert!(
        left > 0,
        "all {KILLS} runs were killed too early or too late"
    );
}

#[test]
fn an_empty_folder_gets_a_whole_package_in_the_end() {
    let runs = Runs::new(&["--no-git"]);
    for root in runs.kill(|root| fs::create_dir(root.join("mypkg")).unwrap()) {
        let folder = root.path().join("mypkg");
        let workspace = folder.join(".cuvec-new-workspace");
        if !workspace.exists() {
            if !entries(&folder).is_empty() {
                runs.check_whole(&folder);
            }
            continue;
        }
        follow_the_hint(runs.run(root.path()), root.path());
        runs.complete(root.path());
    }
}

/// The state between two moves, which no kill of a test meets by chance.
#[test]
fn a_merge_that_was_begun_can_be_finished() {
    let runs = Runs::new(&[]);
    let outcome = Project::new("mypkg").with_layers().run().success();
    let folder = outcome.path("mypkg");
    let new = folder.join(".cuvec-new-workspace/new");
    fs::create_dir_all(new.join("../old")).unwrap();
    for name in ["LICENSE", "python", ".git"] {
        fs::rename(folder.join(name), new.join(name)).unwrap();
    }
    write(&new.join("../old/0"), "the LICENSE that was there before");
    let stopped = outcome.again("mypkg").with_layers().run();
    snapbox::assert_data_eq!(
        stopped.stderr.clone(),
        str![[r#"
error: another `cuvec-new` is at work in `mypkg`
hint: if none is running, finish what it began: `cp -a mypkg/.cuvec-new-workspace/new/. mypkg && rm -r mypkg/.cuvec-new-workspace`

"#]]
    );
    follow_the_hint(runs.run(&stopped.path("")), &stopped.path(""));
    runs.check_whole(&stopped.path("mypkg"));
}

/// Between the two moves of the record, which says that the folder is a package: that is not what is wrong then.
#[test]
fn a_record_that_was_put_aside_is_put_back() {
    let record = "version = {{toml version}}\nyear = {{year}}\n\n[answers]\n{{answers}}\n";
    let project = Project::new("mypkg").with_layers().arg("--no-git");
    let project = project.layer("common/.cuvec-new.toml.hbs", record);
    let mut outcome = project.run().success();
    let folder = outcome.path("mypkg");
    let whole = files(&folder);
    let [old, new] = ["old", "new"].map(|it| folder.join(".cuvec-new-workspace").join(it));
    fs::create_dir_all(&old).unwrap();
    fs::create_dir_all(&new).unwrap();
    fs::rename(folder.join(".cuvec-new.toml"), old.join(".cuvec-new.toml")).unwrap();
    fs::copy(old.join(".cuvec-new.toml"), new.join(".cuvec-new.toml")).unwrap();
    write(&old.join("../outdated"), "../elsewhere\n/tmp/elsewhere");
    let layers = outcome.path("layers/templates");
    let busy = "another `cuvec-new` is at work in `mypkg`";
    let hint = "if none is running, finish what it began: \
                `cp -a mypkg/.cuvec-new-workspace/new/. mypkg && rm -r mypkg/.cuvec-new-workspace`";
    for command in [
        "update mypkg",
        "update mypkg --check",
        "mypkg --force",
        "add f (n)->(n) --package mypkg",
    ] {
        let mut words = command.split(' ');
        let project = outcome.again(words.next().unwrap()).args(words);
        let project = match command.starts_with("add") {
            true => project,
            false => project.arg("--templates").arg(&layers),
        };
        outcome = project.run();
        assert_eq!(
            outcome.stderr,
            format!("error: {busy}\nhint: {hint}\n"),
            "{command}"
        );
    }
    outcome = outcome.again("doctor").arg("mypkg").run();
    assert!(
        outcome
            .stdout
            .starts_with(&format!("problem  package: {busy}; {hint}\n")),
        "{}",
        outcome.stdout
    );
    let update = |outcome: Outcome| {
        outcome
            .again("update")
            .args(["mypkg", "--check", "--templates"])
            .arg(&layers)
    };
    let (command, root) = update(outcome).into_command();
    follow_the_hint(command, root.path());
    assert_eq!(files(&folder), whole);
}

/// Runs that are killed, and one that was not.
struct Runs {
    reference: TempDir,
    options: &'static [&'static str],
    files: Vec<String>,
    /// How long a run takes.
    length: Duration,
}

impl Runs {
    fn new(options: &'static [&str]) -> Self {
        let reference = tempfile::tempdir().unwrap();
        layers::make(&reference.path().join("layers"));
        let mut runs = Self {
            reference,
            options,
            files: Vec::new(),
            length: Duration::ZERO,
        };
        let start = Instant::now();
        let status = runs.run(runs.reference.path()).status();
        runs.length = start.elapsed();
        assert!(status.unwrap().success());
        runs.files = files(&runs.reference.path().join("mypkg"));
        runs
    }

    fn run(&self, root: &Path) -> Command {
        let mut command = command(root);
        let layers = self.reference.path().join("layers");
        command.args(["mypkg", "--templates"]).arg(layers);
        command.args(self.options);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Folders in which runs were killed at moments spread over their whole length, half of them counted from the first
    /// trace, since on a busy machine no two runs take equally long.
    fn kill(&self, prepare: impl Fn(&Path)) -> Vec<TempDir> {
        let folder = |n| {
            let root = tempfile::tempdir().unwrap();
            prepare(root.path());
            let mut child = self.run(root.path()).spawn().unwrap();
            if n % 2 == 1 {
                await_workspace(&mut child, root.path());
            }
            sleep(self.length * n / KILLS);
            child.kill().unwrap();
            child.wait().unwrap();
            root
        };
        (0..KILLS).map(folder).collect()
    }

    /// Compares a package with the package of the run that was not killed.
    #[track_caller]
    fn check_whole(&self, folder: &Path) {
        assert_eq!(files(folder), self.files);
        let reference = self.reference.path().join("mypkg");
        for file in &self.files {
            assert_eq!(
                fs::read(folder.join(file)).unwrap(),
                fs::read(reference.join(file)).unwrap()
            );
        }
        if self.options.contains(&"--no-git") {
            return;
        }
        let status = Command::new("git")
            .args(["status", "--porcelain"])
            .current_dir(folder)
            .output();
        assert_eq!(String::from_utf8(status.unwrap().stdout).unwrap(), "");
    }

    /// The next run is not hindered by what a killed one left.
    fn complete(&self, root: &Path) {
        self.run(root).status().unwrap();
        self.check_whole(&root.join("mypkg"));
    }
}

/// Waits until a run writes, or ends.
fn await_workspace(run: &mut Child, root: &Path) {
    let trace = |folder: &Path| {
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        names
            .map(|it| it.file_name())
            .any(|name| name.to_string_lossy().starts_with(".cuvec-new-"))
    };
    while !trace(root) && !trace(&root.join("mypkg")) && run.try_wait().unwrap().is_none() {
        sleep(Duration::from_micros(200));
    }
}

/// Types the command that a run offers because of an earlier one, and returns it.
pub fn follow_the_hint(mut run: Command, root: &Path) -> String {
    let output = run.stderr(Stdio::piped()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let (_, hint) = stderr
        .split_once("hint: if none is running, ")
        .unwrap_or_else(|| panic!("{stderr}"));
    let command = hint.split('`').nth(1).unwrap();
    let shell = Command::new("sh")
        .args(["-c", command])
        .current_dir(root)
        .status();
    assert!(shell.unwrap().success(), "{command}");
    command.to_owned()
}
