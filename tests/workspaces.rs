//! Workspaces of cargo and uv around a package.

use crate::project::Project;

#[test]
fn a_workspace_that_takes_a_package_for_a_member_is_told() {
    for (manifest, members, is_told) in [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\n",
            true,
        ),
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"./cr*/my???\"]\n",
            true,
        ),
        ("Cargo.toml", "[workspace]\nmembers = [\"**\"]\n", true),
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates\"]\n",
            false,
        ),
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"crates/other\"]\n",
            false,
        ),
        ("Cargo.toml", "[package]\nname = \"other\"\n", false),
        (
            "pyproject.toml",
            "[tool.uv.workspace]\nmembers = [\"crates/*\"]\n",
            true,
        ),
        (
            "pyproject.toml",
            "[tool.uv.workspace]\nmembers = [\"libs/*\"]\n",
            false,
        ),
    ] {
        let project = Project::new("mypkg").bridge("pyo3").arg("--no-git");
        let project = project
            .file(manifest, members)
            .file("crates/other/notes", "");
        let outcome = project.output("crates/mypkg").run().success();
        let table = members.lines().next().unwrap();
        let hint = format!("write there, in {table}: exclude = [\"crates/mypkg\"]");
        assert_eq!(
            outcome.stderr.contains(&hint),
            is_told,
            "{members}: {}",
            outcome.stderr
        );
        let outcome = outcome.again("doctor").arg("crates/mypkg").run();
        assert_eq!(
            outcome.stdout.contains(&hint),
            is_told,
            "{members}: {}",
            outcome.stdout
        );
    }
}
