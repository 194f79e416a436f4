//! Other programs, run so that a signal ends them and us.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::interrupt;

/// Ctrl-C reaches programs we started as well; they get this long to tidy up before they are killed.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a program to its end. After a signal the error is `Interrupted`.
pub fn run(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = command.spawn()?;
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
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        sleep(Duration::from_millis(10));
    }
    child.kill()?;
    child.wait().map(drop)
}
