//! Other programs, run so that a signal ends them and us.

use std::env;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::interrupt;

/// Time to tidy up for a program of ours that was interrupted, before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// How long a program may take that is only asked for something.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program by its name on the PATH, or by its path.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    // `Command` looks for the program in the PATH that is set here.
    match env::join_paths(folders_of_programs()) {
        Ok(path) if !path.is_empty() => command.env("PATH", path),
        // An empty one would be the current folder.
        _ => command.env_remove("PATH"),
    };
    command
}

/// The folders of the PATH, without those below the current one, whatever that is. It may be a package of somebody else,
/// with programs of the same names.
fn folders_of_programs() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .filter(|it| it.is_absolute())
        .collect()
}

/// Runs a program to its end. After a signal the error is `Interrupted`.
pub fn run(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = group(command).spawn()?;
    wait(&mut child, None)
}

/// Returns the stdout of a program, if it ends well. If it takes too long the error is `TimedOut`.
pub fn answer(command: &mut Command) -> io::Result<String> {
    answer_within(PATIENCE, command)
}

pub fn answer_within(patience: Duration, command: &mut Command) -> io::Result<String> {
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = group(command).stdout(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.map_or(Ok(0), |mut it| it.read_to_end(&mut bytes))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    });
    let status = wait(&mut child, Some(Instant::now() + patience));
    // A process that it started may hold its stdout open.
    signal(&child, Signal::Kill);
    match status? {
        status if status.success() => reader
            .join()
            .unwrap_or_else(|_| Err(io::ErrorKind::Other.into())),
        status => Err(io::Error::other(status.to_string())),
    }
}

fn wait(child: &mut Child, deadline: Option<Instant>) -> io::Result<ExitStatus> {
    // Short at first: git takes a millisecond, pip a minute.
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            if interrupt::happened() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            return Ok(status);
        }
        if interrupt::happened() {
            end(child)?;
            return Err(io::ErrorKind::Interrupted.into());
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            end(child)?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(50));
    }
}

fn end(child: &mut Child) -> io::Result<()> {
    signal(child, Signal::Interrupt);
    let deadline = Instant::now() + GRACE;
    let mut ended = child.try_wait()?.is_some();
    while !ended && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
        ended = child.try_wait()?.is_some();
    }
    // Those that it started and did not wait for.
    signal(child, Signal::Kill);
    match ended {
        true => Ok(()),
        false => child.kill().and_then(|()| child.wait().map(drop)),
    }
}

#[derive(Clone, Copy)]
enum Signal {
    Interrupt,
    Kill,
}

/// A group of its own, so that a signal reaches what the program starts, and none but ours reaches it.
#[cfg(unix)]
fn group(command: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, 0)
}

#[cfg(not(unix))]
fn group(command: &mut Command) -> &mut Command {
    command
}

/// Fails only if nothing of the group is left.
#[cfg(unix)]
fn signal(child: &Child, signal: Signal) {
    use rustix::process::{Pid, kill_process_group};
    let signal = match signal {
        Signal::Interrupt => rustix::process::Signal::INT,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, signal);
    }
}

/// The console has told them.
#[cfg(not(unix))]
fn signal(_: &Child, _: Signal) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn answer_of(script: &str) -> Result<String, io::ErrorKind> {
        let patience = Duration::from_millis(300);
        let answer = answer_within(patience, Command::new("sh").args(["-c", script]));
        answer.map_err(|error| error.kind())
    }

    #[test]
    fn what_programs_answer() {
        assert_eq!(answer_of("echo yes; echo no >&2").unwrap(), "yes\n");
        assert_eq!(answer_of("echo yes; exit 1"), Err(io::ErrorKind::Other));
        assert_eq!(answer_of("cat").unwrap(), "");
    }

    #[test]
    fn who_takes_too_long_is_ended() {
        let start = Instant::now();
        assert_eq!(answer_of("sleep 100"), Err(io::ErrorKind::TimedOut));
        // A process that it leaves behind delays nobody.
        assert_eq!(answer_of("sleep 100 & echo yes").unwrap(), "yes\n");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
