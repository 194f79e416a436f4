//! The owner's files: what becomes of its files, after what their owner and the templates did to them.

use std::fs;

use snapbox::str;

use super::{TEXT, committed, contents, layers, made, replace, update};
use crate::git::run_git;
use crate::project::{Outcome, Project, make_executable, write};

#[test]
fn what_nobody_edited_is_replaced() {
    let outcome = made();
    let layers = outcome.path("layers/templates/common");
    replace(&layers.join("text.txt"), "two", "zwei");
    write(&layers.join("new/text.txt"), "new\n");
    fs::remove_dir_all(layers.join("deep")).unwrap();
    let outcome = update(outcome).run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
updated `mypkg` in `mypkg` to cuvec-new [..]
changed:
  text.txt
  .cuvec-new.lock
added:
  new/text.txt
removed:
  deep/er/b.txt
next:
  cd mypkg
  pip install .

"#]]
    );
    assert_eq!(
        outcome.stderr,
        "note: it is not in git, so there is no way back\n"
    );
    assert_eq!(outcome.read("mypkg/text.txt"), TEXT.replace("two", "zwei"));
    assert_eq!(outcome.read("mypkg/new/text.txt"), "new\n");
    assert!(!outcome.path("mypkg/deep").exists());
    assert!(!outcome.path("mypkg/.cuvec-new-workspace").exists());
}

#[test]
fn edits_are_merged() {
    let outcome = committed();
    replace(&outcome.path("mypkg/text.txt"), "two", "deux");
    super::commit(&outcome);
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    let outcome = update(outcome).run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
updated `mypkg` in `mypkg` to cuvec-new [..]
changed:
  .cuvec-new.lock
merged with your edits:
  text.txt
next:
  cd mypkg
  git diff
  pip install .

"#]]
    );
    let merged = TEXT.replace("two", "deux").replace("six", "sechs");
    assert_eq!(outcome.read("mypkg/text.txt"), merged);

    // The base is now the new text, which is in no commit and in no file.
    super::commit(&outcome);
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "four",
        "vier",
    );
    let outcome = update(outcome).run().success();
    assert_eq!(
        outcome.read("mypkg/text.txt"),
        merged.replace("four", "vier")
    );
    super::commit(&outcome);
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
}

#[test]
fn edits_of_the_same_lines() {
    let outcome = made();
    replace(&outcome.path("mypkg/text.txt"), "two", "deux");
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "two",
        "zwei",
    );
    replace(
        &outcome.path("layers/templates/common/deep/er/b.txt"),
        "b",
        "c",
    );
    let outcome = update(outcome).run();
    snapbox::assert_data_eq!(
        outcome.stderr.clone(),
        str![[r#"
note: it is not in git, so there is no way back
error: your edits and the new text differ in the same lines, marked in:
  text.txt
hint: choose at each `<<<<<<<` mark, then commit; to see what is new: `git -C mypkg diff`

"#]]
    );
    assert_eq!(outcome.code, 1);
    let text = outcome.read("mypkg/text.txt");
    let marks =
        "one\n<<<<<<< ours\ndeux\n||||||| original\ntwo\n=======\nzwei\n>>>>>>> theirs\nthree\n";
    assert!(text.starts_with(marks), "{text}");
    assert_eq!(outcome.read("mypkg/deep/er/b.txt"), "c\n");
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
}

#[test]
fn what_was_deleted_stays_so() {
    let outcome = made();
    fs::remove_file(outcome.path("mypkg/text.txt")).unwrap();
    fs::remove_dir_all(outcome.path("mypkg/deep")).unwrap();
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "two",
        "zwei",
    );
    write(
        &outcome.path("layers/templates/common/deep/er/c.txt"),
        "c\n",
    );
    write(&outcome.path("layers/templates/common/deep/d.txt"), "d\n");
    let outcome = update(outcome).run().success();
    let told = "left out, for you deleted it:\n  text.txt\n  deep/er/c.txt\n";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    assert!(!outcome.path("mypkg/text.txt").exists());
    assert!(!outcome.path("mypkg/deep/er").exists());
    assert_eq!(outcome.read("mypkg/deep/d.txt"), "d\n");
}

#[test]
fn what_was_deleted_stays_so_under_a_new_name() {
    let outcome = made();
    fs::remove_file(outcome.path("mypkg/text.txt")).unwrap();
    let layers = outcome.path("layers/templates/common");
    fs::rename(layers.join("text.txt"), layers.join("text.md")).unwrap();
    let outcome = update(outcome).run().success();
    let told = "left out, for you deleted it:\n  text.md\n";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    assert!(!outcome.path("mypkg/text.md").exists());
}

#[test]
fn edits_of_what_is_no_longer_made_are_kept() {
    let outcome = made();
    write(&outcome.path("mypkg/deep/er/b.txt"), "mine\n");
    fs::remove_dir_all(outcome.path("layers/templates/common/deep")).unwrap();
    let outcome = update(outcome).run().success();
    let told = "kept for your edits, though no longer part of a package:\n  deep/er/b.txt\n";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    assert_eq!(outcome.read("mypkg/deep/er/b.txt"), "mine\n");
}

#[test]
fn edits_follow_a_file_to_its_new_name() {
    let outcome = made();
    replace(&outcome.path("mypkg/text.txt"), "two", "deux");
    let layers = outcome.path("layers/templates/common");
    replace(&layers.join("text.txt"), "six", "sechs");
    fs::create_dir(layers.join("docs")).unwrap();
    fs::rename(layers.join("text.txt"), layers.join("docs/text.md")).unwrap();
    write(&layers.join("docs/other.md"), "one\nnothing\nelse\n");
    let outcome = update(outcome).run().success();
    let merged = TEXT.replace("two", "deux").replace("six", "sechs");
    assert_eq!(outcome.read("mypkg/docs/text.md"), merged);
    assert!(!outcome.path("mypkg/text.txt").exists());
    assert_eq!(outcome.read("mypkg/docs/other.md"), "one\nnothing\nelse\n");
}

#[test]
fn edits_that_are_no_text_do_not_follow() {
    let outcome = made();
    let edited = [TEXT.as_bytes(), b"\xff"].concat();
    fs::write(outcome.path("mypkg/text.txt"), &edited).unwrap();
    let layers = outcome.path("layers/templates/common");
    fs::rename(layers.join("text.txt"), layers.join("text.md")).unwrap();
    let outcome = update(outcome).run().success();
    let files = contents(&outcome.path("mypkg"));
    assert_eq!(files["text.txt"], edited);
    assert_eq!(files["text.md"], TEXT.as_bytes());
}

#[test]
fn a_new_file_where_the_owner_has_one() {
    let outcome = made();
    write(&outcome.path("mypkg/same.txt"), "same\n");
    write(&outcome.path("mypkg/other.txt"), "mine\n");
    write(&outcome.path("layers/templates/common/same.txt"), "same\n");
    write(
        &outcome.path("layers/templates/common/other.txt"),
        "theirs\n",
    );
    let outcome = update(outcome).run().success();
    let told = "new text beside yours, which no merge is known for:\n  other.txt.new\n";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("same.txt"), "{}", outcome.stdout);
    assert_eq!(outcome.read("mypkg/other.txt"), "mine\n");
    assert_eq!(outcome.read("mypkg/other.txt.new"), "theirs\n");
}

#[test]
fn a_package_from_before_there_were_locks() {
    let outcome = made();
    fs::remove_file(outcome.path("mypkg/.cuvec-new.lock")).unwrap();
    replace(&outcome.path("mypkg/text.txt"), "two", "deux");
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.read("mypkg/text.txt.new"), TEXT);
    assert_eq!(outcome.read("mypkg/text.txt"), TEXT.replace("two", "deux"));
    fs::remove_file(outcome.path("mypkg/text.txt.new")).unwrap();
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    let outcome = update(outcome).run().success();
    let merged = TEXT.replace("two", "deux").replace("six", "sechs");
    assert_eq!(outcome.read("mypkg/text.txt"), merged);
}

#[test]
fn a_new_text_beside_the_old_one_is_written_once() {
    let outcome = made();
    let beside = |outcome: Outcome, text: Option<&str>| {
        fs::remove_file(outcome.path("mypkg/.cuvec-new.lock")).unwrap();
        if let Some(text) = text {
            fs::write(outcome.path("mypkg/text.txt.new"), text).unwrap();
        }
        update(outcome).run()
    };
    replace(&outcome.path("mypkg/text.txt"), "two", "deux");
    let outcome = beside(outcome, None).success();
    assert_eq!(outcome.read("mypkg/text.txt.new"), TEXT);
    let outcome = beside(outcome, None).success();
    assert_eq!(outcome.read("mypkg/text.txt.new"), TEXT);
    let outcome = beside(outcome, Some("mine\n"));
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("text.txt.new"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.read("mypkg/text.txt.new"), "mine\n");
}

#[test]
fn what_is_no_text() {
    let bytes = |last: u8| [b"\x89PNG\x0c\xff", &[last][..]].concat();
    let outcome = made();
    let layers = outcome.path("layers/templates/common");
    for name in ["a.png", "b.png"] {
        fs::write(layers.join(name), bytes(0)).unwrap();
    }
    let outcome = update(outcome).run().success();
    fs::write(outcome.path("mypkg/b.png"), bytes(1)).unwrap();
    for name in ["a.png", "b.png"] {
        fs::write(layers.join(name), bytes(2)).unwrap();
    }
    let outcome = update(outcome).run().success();
    let files = contents(&outcome.path("mypkg"));
    assert_eq!(files["a.png"], bytes(2));
    assert_eq!(files["b.png"], bytes(1));
    assert_eq!(files["b.png.new"], bytes(2));
}

#[test]
fn line_ends_and_executable_bits_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let windows = |text: &str| text.replace('\n', "\r\n");
    let outcome = made();
    let folder = outcome.path("mypkg");
    write(
        &folder.join("text.txt"),
        &windows(&TEXT.replace("two", "deux")),
    );
    write(&folder.join("deep/er/b.txt"), &windows("b\n"));
    make_executable(&folder.join("deep/er/b.txt"));
    let lock = outcome.read("mypkg/.cuvec-new.lock");
    write(&folder.join(".cuvec-new.lock"), &windows(&lock));
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    write(
        &outcome.path("layers/templates/common/deep/er/b.txt"),
        "c\n",
    );
    let outcome = update(outcome).run().success();
    let merged = TEXT.replace("two", "deux").replace("six", "sechs");
    assert_eq!(outcome.read("mypkg/text.txt"), windows(&merged));
    assert_eq!(outcome.read("mypkg/deep/er/b.txt"), "c\r\n");
    let mode = |path: &str| {
        fs::metadata(folder.join(path))
            .unwrap()
            .permissions()
            .mode()
    };
    assert_eq!(mode("deep/er/b.txt") & 0o777, 0o755);
    assert_eq!(mode("text.txt") & 0o111, 0);
}

#[test]
fn a_last_line_without_an_end() {
    let outcome = made();
    let folder = outcome.path("mypkg");
    write(&folder.join("text.txt"), TEXT.trim_end());
    write(&folder.join("deep/er/b.txt"), "b");
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "two",
        "zwei",
    );
    let outcome = update(outcome).run().success();
    let merged = TEXT.replace("two", "zwei");
    assert_eq!(outcome.read("mypkg/text.txt"), merged.trim_end());
    assert_eq!(outcome.read("mypkg/deep/er/b.txt"), "b");
}

/// A clone as git makes it on Windows.
fn clone_with_line_ends_of_windows() -> Outcome {
    let outcome = Project::new("mypkg").run().success();
    let clone = [
        "clone",
        "--quiet",
        "--config",
        "core.autocrlf=true",
        "mypkg",
        "windows",
    ];
    run_git(&outcome.path(""), &clone);
    assert!(outcome.read("windows/.cuvec-new.toml").contains("\r\n"));
    outcome
}

#[test]
fn a_checkout_with_line_ends_of_windows() {
    let outcome = clone_with_line_ends_of_windows();
    let check = |outcome: Outcome| outcome.again("update").args(["windows", "--check"]).run();
    let outcome = check(outcome).success();
    let update = outcome
        .again("update")
        .args(["windows", "--python", "3.13"]);
    let outcome = update.run().success();
    let record = outcome.read("windows/.cuvec-new.toml");
    assert_eq!(record.matches("\r\n").count(), record.lines().count());
    let folder = outcome.path("windows");
    run_git(
        &folder,
        &["commit", "--quiet", "--all", "--message", "update"],
    );
    assert_eq!(run_git(&folder, &["status", "--porcelain"]), "");
    check(outcome).success();
}

#[test]
fn a_checkout_with_line_ends_of_windows_is_overwritten() {
    let outcome = clone_with_line_ends_of_windows();
    let over = |outcome: Outcome| {
        outcome
            .again("mypkg")
            .args(["--output", "windows", "--force"])
    };
    let outcome = over(outcome).run().success();
    let folder = outcome.path("windows");
    assert_eq!(run_git(&folder, &["status", "--porcelain"]), "");
    // Files of other bindings are not taken for edited ones.
    let outcome = over(outcome).bridge("pybind11").run().success();
    assert!(!outcome.path("windows/src/lib.rs").exists());
    assert!(outcome.read("windows/README.md").contains("\r\n"));
}

/// Builds write it, so it differs from what was made without an edit, and goes with its kernel.
#[test]
fn ptx_of_kernels() {
    let ptx = |of: &str| format!("// SHA-256 of the sources: {of}\n");
    let outcome = layers(Project::new("mypkg"))
        .layer("common/kernels/a.rs", "a\n")
        .layer("common/kernels/b.rs", "b\n")
        .layer("common/kernels/kernels.ptx", &ptx("both"))
        .layer("common/kernels/ptx/other.ptx", &ptx("other"))
        .arg("--no-git")
        .run()
        .success();
    write(&outcome.path("mypkg/kernels/kernels.ptx"), &ptx("own"));
    write(&outcome.path("mypkg/kernels/ptx/other.ptx"), &ptx("own"));
    write(&outcome.path("mypkg/kernels/ptx/a.ptx"), &ptx("own"));
    fs::remove_file(outcome.path("mypkg/kernels/b.rs")).unwrap();
    let layers = outcome.path("layers/templates/common/kernels");
    fs::remove_file(layers.join("kernels.ptx")).unwrap();
    for name in ["a", "b", "other"] {
        write(&layers.join(format!("ptx/{name}.ptx")), &ptx("new"));
    }
    let outcome = update(outcome).run().success();
    let told = "changed:\n  kernels/ptx/other.ptx\n  kernels/ptx/a.ptx\n  .cuvec-new.lock\nremoved:\n  kernels/kernels.ptx\nnext:";
    assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    assert_eq!(outcome.read("mypkg/kernels/ptx/a.ptx"), ptx("new"));
    assert!(!outcome.path("mypkg/kernels/ptx/b.ptx").exists());
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
}
