//! Progress of a trial: a spinner with the time on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::Result;
use crate::tell::{BAD, GOOD, styled};

#[derive(Debug)]
pub enum Progress {
    Hidden,
    Plain,
    Spinner,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        match quiet {
            true => Self::Hidden,
            false if std::io::stderr().is_terminal() => Self::Spinner,
            false => Self::Plain,
        }
    }

    pub fn show(&self, label: &str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        let start = Instant::now();
        match self {
            Self::Hidden => step(),
            Self::Plain => {
                line(format!("{label} …"));
                step()?;
                line(format!("{label}: {}", seconds(start.elapsed())));
                Ok(())
            }
            Self::Spinner => {
                let spinner = spinner(label);
                let result = step();
                spinner.finish_and_clear();
                let mark = match result {
                    Ok(()) => styled(GOOD, "✓"),
                    Err(_) => styled(BAD, "✗"),
                };
                line(format!("{mark} {label} {}", seconds(start.elapsed())));
                result
            }
        }
    }
}

fn spinner(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let spinner = ProgressBar::new_spinner()
        .with_style(style)
        .with_message(label.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Progress is for whoever watches; if nobody does, that is no failure.
fn line(text: String) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
