//! Runs a command in a pseudo-terminal, and sees what a person would see.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;
use vt100::Parser;

use crate::project::{Project, entries};

/// Long enough for a busy machine; only a test that fails waits so long.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub const ENTER: &str = "\r";
pub const ESCAPE: &str = "\x1b";
pub const TAB: &str = "\t";
pub const DOWN: &str = "\x1b[B";
pub const CTRL_C: &str = "\x03";

/// A command that is running in a terminal.
pub struct Session {
    root: TempDir,
    child: Box<dyn Child + Send + Sync>,
    terminal: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Mutex<Parser>>,
    output: JoinHandle<Vec<u8>>,
    /// Modes of the terminal before the command was started.
    modes: String,
}

/// What is left of a session.
pub struct Ended {
    pub root: TempDir,
    pub code: u32,
    pub screen: String,
    /// All that was written to the terminal.
    pub output: String,
    /// Whether the terminal is as it was: cursor, echo, modes.
    pub restored: bool,
}

impl Session {
    pub fn start(project: Project) -> Self {
        Self::sized(project, 24, 80)
    }

    pub fn sized(project: Project, rows: u16, cols: u16) -> Self {
        let (command, root) = project.into_command();
        Self::of(&command, root, rows, cols)
    }

    /// Any command, which may use `root`.
    pub fn of(command: &Command, root: TempDir, rows: u16, cols: u16) -> Self {
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let terminal = pair.master;
        let modes = modes(&*terminal);
        let child = pair.slave.spawn_command(builder(command)).unwrap();
        let known = |size| NonZeroU16::new(size).unwrap();
        let screen = Parser::new(known(rows), known(cols), 0);
        let screen = Arc::new(Mutex::new(screen));
        let mut reader = terminal.try_clone_reader().unwrap();
        let seen = Arc::clone(&screen);
        let output = spawn(move || {
            let mut output = Vec::new();
            let mut buffer = [0; 4096];
            // Without a process that has the terminal, a read fails. Linux lets
            // it fail once before it gives what was written just then, and a
            // second time only where nothing is left.
            let mut failed = false;
            loop {
                match reader.read(&mut buffer) {
                    Ok(read @ 1..) => {
                        failed = false;
                        seen.lock().unwrap().process(&buffer[..read]);
                        output.extend_from_slice(&buffer[..read]);
                    }
                    _ if failed => return output,
                    _ => failed = true,
                }
            }
        });
        Self {
            root,
            child,
            keyboard: terminal.take_writer().unwrap(),
            terminal,
            screen,
            output,
            modes,
        }
    }

    pub fn press(&mut self, keys: &str) -> &mut Self {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
        self
    }

    /// What is on the screen now, without blanks at the ends of lines.
    pub fn screen(&self) -> String {
        text(self.screen.lock().unwrap().screen())
    }

    pub fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.screen.lock().unwrap().screen())
    }

    /// Waits until nothing changes for a moment.
    pub fn settle(&mut self) -> &mut Self {
        let state = |session: &Self| session.with_screen(vt100::Screen::state_formatted);
        let mut before = state(self);
        let mut calm = 0;
        while calm < 5 {
            sleep(Duration::from_millis(10));
            let now = state(self);
            calm = if now == before { calm + 1 } else { 0 };
            before = now;
        }
        self
    }

    /// The process that was started in the terminal.
    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until the screen shows a text.
    #[track_caller]
    pub fn see(&mut self, text: &str) -> &mut Self {
        self.until(text, |it| it.screen().contains(text))
    }

    /// Waits until the screen shows a text no more.
    #[track_caller]
    pub fn miss(&mut self, text: &str) -> &mut Self {
        self.until(text, |it| !it.screen().contains(text))
    }

    /// Waits until the screen is as given.
    #[track_caller]
    pub fn see_all(&mut self, expected: &str) -> &mut Self {
        self.until(expected, |it| it.screen() == expected)
    }

    /// The same, with the cursor at a row and a column.
    #[track_caller]
    pub fn see_all_at(&mut self, expected: &str, cursor: (u16, u16)) -> &mut Self {
        let at = |it: &Self| it.with_screen(vt100::Screen::cursor_position);
        let what = format!("{expected}` with the cursor at `{cursor:?}");
        self.until(&what, |it| it.screen() == expected && at(it) == cursor)
    }

    #[track_caller]
    fn until(&mut self, what: &str, good: impl Fn(&Self) -> bool) -> &mut Self {
        let deadline = Instant::now() + PATIENCE;
        while !good(self) {
            let screen = self.screen();
            assert!(
                Instant::now() < deadline,
                "waited for `{what}`; the screen:\n{screen}"
            );
            sleep(Duration::from_millis(5));
        }
        self
    }

    /// Waits for the end of the command.
    #[track_caller]
    pub fn end(mut self) -> Ended {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                Instant::now() < deadline,
                "no end; the screen:\n{}",
                self.screen()
            );
            sleep(Duration::from_millis(5));
        };
        let modes = modes(&*self.terminal);
        drop((self.terminal, self.keyboard));
        let output = String::from_utf8(self.output.join().unwrap()).unwrap();
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        Ended {
            root: self.root,
            code: status.exit_code(),
            screen: text(screen),
            output,
            restored: modes == self.modes && !screen.hide_cursor() && !screen.bracketed_paste(),
        }
    }
}

impl Ended {
    #[track_caller]
    pub fn success(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.screen);
        assert!(self.restored, "the terminal is not as it was");
        self
    }

    /// Interrupted, with nothing left behind.
    #[track_caller]
    pub fn interrupted(self) -> Self {
        assert_eq!(self.code, 130, "{}", self.screen);
        assert!(self.restored, "the terminal is not as it was");
        assert_eq!(entries(self.root.path()), [""; 0]);
        self
    }
}

fn text(screen: &vt100::Screen) -> String {
    let screen = screen.contents();
    let lines: Vec<_> = screen.lines().map(str::trim_end).collect();
    lines.join("\n")
}

fn modes(terminal: &dyn MasterPty) -> String {
    format!("{:?}", terminal.get_termios().unwrap())
}

fn builder(command: &Command) -> CommandBuilder {
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(command.get_args());
    builder.env_clear();
    builder.env("TERM", "xterm-256color");
    // The command's come later, and win.
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => builder.env(key, value),
            None => builder.env_remove(key),
        }
    }
    builder.cwd(command.get_current_dir().unwrap());
    builder
}
