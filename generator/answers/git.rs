//! Who the user is to git.

use std::process::Stdio;

use crate::process;

/// `user.name` and `user.email`, as far as git is installed and knows them.
#[derive(Debug, Default)]
pub struct User {
    pub name: Option<String>,
    pub email: Option<String>,
}

pub fn user() -> User {
    let mut user = User::default();
    let mut git = process::program("git");
    git.args(["config", "--null", "--get-regexp", r"^user\.(name|email)$"]);
    let Ok(output) = git.stderr(Stdio::null()).output() else {
        return user;
    };
    // Later lines come from more specific files, and win.
    for entry in String::from_utf8_lossy(&output.stdout).split('\0') {
        match entry.split_once('\n') {
            Some(("user.name", value)) => user.name = Some(value.to_owned()),
            Some(("user.email", value)) => user.email = Some(value.to_owned()),
            _ => {}
        }
    }
    user
}
