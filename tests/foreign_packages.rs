//! A package of somebody else: `doctor` and `update --check` only look at it, so nothing in it is run, and nothing that
//! is there instead of a file is waited for.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::git::run_git;
use crate::project::{Outcome, Project, make_executable, write};

/// A package in a repository, which has layers of tests.
fn package() -> Outcome {
    let record = "version = {{toml version}}\nyear = {{year}}\n\n[answers]\n{{answers}}\n";
    let project = Project::new("mypkg").with_layers();
    let project = project.layer("common/.cuvec-new.toml.hbs", record);
    project.run().success()
}

/// A program that leaves a trace in `ran/`.
fn traces(path: &Path, root: &Path) {
    let name = path.file_name().unwrap().to_string_lossy();
    let trace = root.join("home/ran").join(&*name);
    fs::create_dir_all(root.join("home/ran")).unwrap();
    write(path, &format!("#!/bin/sh\ntouch {}\n", trace.display()));
    make_executable(path);
}

/// Runs commands that only look, and checks that no program left a trace.
#[track_caller]
fn runs_nothing(mut outcome: Outcome, edit: impl Fn(Project) -> Project) -> Outcome {
    let layers = outcome.path("layers/templates");
    for command in [&["update", "mypkg", "--check"][..], &["doctor", "mypkg"]] {
        let mut project = outcome.again(command[0]).args(&command[1..]);
        if command[0] == "update" {
            project = project.arg("--templates").arg(&layers);
        }
        outcome = edit(project).run();
        let ran = outcome.entries("home/ran");
        assert!(ran.is_empty(), "{command:?} ran {ran:?}");
        assert!(outcome.code <= 1, "{}", outcome.stderr);
    }
    outcome
}

#[test]
fn programs_of_its_repository() {
    let outcome = package();
    let (folder, root) = (outcome.path("mypkg"), outcome.path(""));
    for name in [
        "monitor",
        "clean",
        "process",
        "gpg",
        "hooks/post-index-change",
    ] {
        traces(&root.join("home").join(name), &root);
    }
    let path = |name: &str| root.join("home").join(name).display().to_string();
    for (key, value) in [
        ("core.fsmonitor", path("monitor")),
        ("core.hooksPath", path("hooks")),
        ("filter.x.clean", path("clean")),
        ("filter.x.required", "true".to_owned()),
        ("filter.y.process", path("process")),
        ("log.showSignature", "true".to_owned()),
        ("gpg.program", path("gpg")),
    ] {
        run_git(&folder, &["config", key, &value]);
    }
    write(
        &folder.join(".git/info/attributes"),
        "*.txt filter=x\n*.rs filter=y\n",
    );
    // So git has to read it, and would run the filter.
    write(&folder.join("about.txt"), "edited\n");
    write(&folder.join("src/lib.rs"), "edited\n");
    let outcome = runs_nothing(outcome, |project| project);
    let layers = outcome.path("layers/templates");
    let update = outcome.again("update").args(["mypkg", "--license", "0BSD"]);
    let outcome = update.arg("--templates").arg(layers).run();
    assert_eq!(outcome.entries("home/ran"), [""; 0]);
    let expected = "error: `mypkg` has uncommitted changes:\n  about.txt\n  src/lib.rs\n";
    assert!(outcome.stderr.starts_with(expected), "{}", outcome.stderr);
}

#[test]
fn a_filter_that_cannot_be_turned_off() {
    let outcome = package();
    run_git(
        &outcome.path("mypkg"),
        &["config", "filter.x=y.clean", "false"],
    );
    let layers = outcome.path("layers/templates");
    let update = outcome.again("update").args(["mypkg", "--check"]);
    update.arg("--templates").arg(layers).run().failure(
        1,
        "error: failed to run git in `mypkg`: `filter.x=y.clean` has a `=` in its name\n\
         hint: nothing was written; let `git -C mypkg status` work first\n",
    );
}

/// The user's settings are what the files were committed with.
#[test]
fn filters_of_the_user_are_used() {
    let outcome = package();
    let folder = outcome.path("mypkg");
    let layers = outcome.path("layers/templates");
    write(
        &folder.join(".git/info/attributes"),
        "about.txt filter=upper\n",
    );
    let update = |outcome: Outcome| {
        let update = outcome.again("update").args(["mypkg", "--license", "0BSD"]);
        let update = update.arg("--templates").arg(&layers);
        let settings = update.path("home/.gitconfig");
        let text = fs::read_to_string(&settings).unwrap();
        let clean = "\n[filter \"upper\"]\nclean = tr a-z A-Z\n";
        fs::write(settings, text + clean).unwrap();
        update.run()
    };
    let text = fs::read_to_string(folder.join("about.txt")).unwrap();
    write(&folder.join("about.txt"), &text.to_uppercase());
    run_git(
        &folder,
        &["commit", "--quiet", "--all", "--message", "upper"],
    );
    write(&folder.join("about.txt"), &text);
    let outcome = update(outcome);
    assert!(
        !outcome.stderr.contains("uncommitted"),
        "{}",
        outcome.stderr
    );
}

/// Where the PATH has the current folder, or one below it.
#[test]
fn programs_of_its_folder() {
    let path = std::env::var("PATH").unwrap();
    for first in ["", ".", "mypkg", "./mypkg"] {
        let outcome = package();
        for name in [
            "git", "python3", "cargo", "rustc", "cmake", "c++", "g++", "ldd",
        ] {
            for folder in ["", "mypkg"] {
                traces(&outcome.path(folder).join(name), &outcome.path(""));
            }
        }
        runs_nothing(outcome, |project| {
            project.env("PATH", format!("{first}:{path}"))
        });
    }
}

#[test]
fn the_toolchain_that_it_names() {
    let outcome = package();
    let (folder, root) = (outcome.path("mypkg"), outcome.path(""));
    let toolchain = folder.join("toolchain/bin");
    for name in ["rustc", "cargo"] {
        traces(&toolchain.join(name), &root);
    }
    let text = format!(
        "[toolchain]\npath = \"{}\"\n",
        folder.join("toolchain").display()
    );
    write(&folder.join("rust-toolchain.toml"), &text);
    // As rustup does it: the programs in its folder look for that file, in the current folder and those above.
    let proxy = "
        folder=$PWD
        while [ \"$folder\" ]; do
          path=$(sed -n 's/^path = \"\\(.*\\)\"/\\1/p' \"$folder/rust-toolchain.toml\" 2>/dev/null)
          if [ \"$path\" ]; then exec \"$path/bin/${0##*/}\" \"$@\"; fi
          folder=${folder%/*}
        done
        echo ${0##*/} 1.95.0";
    let outcome = runs_nothing(outcome, |project| {
        ["cargo", "rustc"]
            .iter()
            .fold(project, |project, name| project.program(name, proxy))
    });
    let file = outcome.path("mypkg").canonicalize().unwrap();
    let expected = format!(
        "warning  toolchain: {0}/rust-toolchain.toml chooses the toolchain of the build; if you trust it: cd {0} && rustc --version\n",
        file.display()
    );
    assert!(outcome.stdout.contains(&expected), "{}", outcome.stdout);
}

#[test]
fn what_is_there_instead_of_its_record() {
    for (instead, problem) in [
        ("pipe", "`.cuvec-new.toml` is no regular file"),
        ("endless", "`.cuvec-new.toml` is a link"),
        ("large", "`.cuvec-new.toml` has more than 16 MiB"),
    ] {
        let mut outcome = package();
        let record = outcome.path("mypkg/.cuvec-new.toml");
        fs::remove_file(&record).unwrap();
        match instead {
            "pipe" => assert!(
                Command::new("mkfifo")
                    .arg(&record)
                    .status()
                    .unwrap()
                    .success()
            ),
            "endless" => symlink("/dev/zero", &record).unwrap(),
            _ => fs::File::create(&record).unwrap().set_len(1 << 40).unwrap(),
        }
        for command in [
            &["add", "--package", "mypkg", "f", "(n)->(n)"][..],
            &["update", "mypkg"],
            &["doctor", "mypkg"],
        ] {
            outcome = outcome.again(command[0]).args(&command[1..]).run();
            let said = format!("{}{}", outcome.stdout, outcome.stderr);
            assert!(said.contains(problem), "{command:?}: {said}");
            assert!(outcome.code > 0);
        }
    }
}
