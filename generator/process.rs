//! Other programs, run so that a signal ends them and us.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::interrupt;

/// What we started is interrupted as by Ctrl-C, and gets this long to tidy up before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// Runs a program to its end. After a signal the error is `Interrupted`.
pub fn run(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = group(command).spawn()?;
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
            end(&mut child)?;
            return Err(io::ErrorKind::Interrupted.into());
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
