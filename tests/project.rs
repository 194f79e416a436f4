//! Runs the command in a folder of its own, away from the settings of whoever runs the tests.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A run of `cuvec-new` that is being put together; `root` is the folder it is run in.
pub struct Project {
    root: TempDir,
    command: Command,
}

/// Outcome of a run.
pub struct Outcome {
    root: TempDir,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    pub fn new(name: &str) -> Self {
        Self::bare().arg(name)
    }

    /// A command line without a name.
    pub fn bare() -> Self {
        let root = TempDir::new().unwrap();
        Self {
            command: command(root.path()),
            root,
        }
    }

    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub fn args<T: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.command.args(arguments);
        self
    }

    pub fn bridge(self, name: &str) -> Self {
        self.args(["--bridge", name])
    }

    pub fn kernels(self, name: &str) -> Self {
        self.args(["--kernels", name])
    }

    pub fn output(self, folder: &str) -> Self {
        self.args(["--output", folder])
    }

    pub fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    pub fn without_env(mut self, key: &str) -> Self {
        self.command.env_remove(key);
        self
    }

    /// Runs it in a folder below the root.
    pub fn inside(mut self, folder: &str) -> Self {
        let folder = self.root.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        self.command.current_dir(folder);
        self
    }

    /// A file that is there before the run.
    pub fn file(self, path: &str, contents: &str) -> Self {
        write(&self.path(path), contents);
        self
    }

    /// A program that the run finds before any other of this name. Written for `sh`.
    pub fn program(self, name: &str, script: &str) -> Self {
        let folder = self.path("programs");
        let path = folder.join(name);
        write(&path, &format!("#!/bin/sh\n{script}\n"));
        make_executable(&path);
        let system = std::env::var("PATH").unwrap();
        self.env("PATH", format!("{}:{system}", folder.display()))
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub fn edit(mut self, edit: impl FnOnce(&mut Command)) -> Self {
        edit(&mut self.command);
        self
    }

    /// Lets `bash` run it, as `"$0"` with the arguments `"$@"`.
    pub fn through_shell(mut self, script: &str) -> Self {
        let mut shell = Command::new("bash");
        shell.args(["-c", script]).arg(self.command.get_program());
        shell.args(self.command.get_args()).env_clear();
        for (key, value) in self.command.get_envs() {
            shell.env(key, value.unwrap_or_default());
        }
        shell.current_dir(self.root.path());
        self.command = shell;
        self
    }

    pub fn run(mut self) -> Outcome {
        let output = self.command.output().unwrap();
        Outcome {
            root: self.root,
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The command line, and the folder it is run in.
    pub fn into_command(self) -> (Command, TempDir) {
        (self.command, self.root)
    }

    /// Starts it without waiting for its end.
    pub fn start(mut self) -> (Child, TempDir) {
        let child = self.command.stderr(Stdio::piped()).spawn().unwrap();
        (child, self.root)
    }
}

impl Outcome {
    /// Runs it again in the same folder.
    pub fn again(self, name: &str) -> Project {
        Project {
            command: command(self.root.path()),
            root: self.root,
        }
        .arg(name)
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Everything in a folder, sorted, without what the tests put there.
    pub fn entries(&self, folder: &str) -> Vec<String> {
        entries(&self.path(folder))
    }

    #[track_caller]
    pub fn success(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self
    }

    /// Checks exit code and all of stderr.
    #[track_caller]
    pub fn failure(self, code: i32, stderr: impl snapbox::IntoData) -> Self {
        snapbox::assert_data_eq!(self.stderr.clone(), stderr.into_data().raw());
        assert_eq!(self.code, code);
        assert_eq!(self.stdout, "");
        self
    }
}

/// Names in a folder, sorted, without what `Project` itself puts there.
pub fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names
        .filter(|name| !["home", "programs", "layers"].contains(&&**name))
        .collect();
    names.sort();
    names
}

/// Every file below a folder by its path there, sorted, without git's own.
pub fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for name in entries(folder) {
        let path = folder.join(&name);
        if name == ".git" {
            continue;
        } else if path.is_dir() {
            found.extend(files(&path).iter().map(|file| format!("{name}/{file}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}

pub fn write(path: &Path, contents: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}

/// The command with nobody's settings but those written here.
pub fn command(root: &Path) -> Command {
    let home = root.join("home");
    write(
        &home.join(".gitconfig"),
        "[user]\nname = Ada Lovelace\nemail = ada@example.org\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuvec-new"));
    command
        .current_dir(root)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

pub fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
