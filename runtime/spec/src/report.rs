//! Problems that kernels report to the host: `cuvec_report` of `cuvec/abi.h`, and its message.

use std::ffi::{CStr, c_char};
use std::sync::atomic::AtomicU32;

use crate::print::Print;

/// The first problem that kernels of a GPU have met, in host memory that the GPU writes.
#[repr(C)]
#[derive(Debug)]
pub struct Report {
    /// 0: nothing. 1: everything else is written.
    pub state: AtomicU32,
    pub problem: u32,
    pub line: u32,
    pub length: u32,
    pub left: u64,
    pub right: u64,
    pub text: [u8; 224],
    pub function: *const c_char,
}

/// Where the kernels of a GPU find it, in memory of that GPU.
#[repr(C)]
#[derive(Debug)]
pub struct ReportSlot {
    pub report: *mut Report,
    pub taken: u32,
    pub printed: u32,
    pub prints: *mut Print,
}

/// Problem that a kernel may meet, by its number in C.
#[derive(Clone, Copy, Debug)]
pub enum Problem {
    NoElement = 1,
    Lengths = 2,
    Panic = 3,
    Far = 4,
    Failed = 5,
    FailedWith = 6,
    Message = 7,
}

impl Problem {
    fn of(code: u32) -> Self {
        let all = [
            Self::NoElement,
            Self::Lengths,
            Self::Far,
            Self::Failed,
            Self::FailedWith,
            Self::Message,
        ];
        let found = all.into_iter().find(|it| *it as u32 == code);
        found.unwrap_or(Self::Panic)
    }
}

impl Report {
    /// Returns its message.
    ///
    /// # Safety
    /// `function` must be null or a string of C.
    #[must_use]
    pub unsafe fn message(&self) -> String {
        let length = self.text.len().min(self.length as usize);
        let text = String::from_utf8_lossy(&self.text[..length]);
        let (line, left, right) = (self.line, self.left as i64, self.right);
        // SAFETY: the caller's.
        let function = (!self.function.is_null()).then(|| unsafe { CStr::from_ptr(self.function) });
        // As bodies begin their messages.
        let function =
            function.map_or_else(String::new, |it| format!("{}(): ", it.to_string_lossy()));
        match Problem::of(self.problem) {
            Problem::NoElement => {
                format!("{text}:{line}: there is no element {left} in an array of {right}")
            }
            Problem::Lengths => {
                format!("{text}:{line}: arrays of {left} and of {right} elements differ in length")
            }
            Problem::Panic => "a kernel panicked".to_owned(),
            Problem::Far => format!(
                "{text}:{line}: an element {left} away is not near: the declaration says {right}"
            ),
            Problem::Failed => format!("{function}{text}"),
            Problem::FailedWith => format!("{function}{text}: {left}"),
            Problem::Message => {
                let (file, what) = text.split_at_checked(right as usize).unwrap_or((&text, ""));
                format!("{file}:{line}: {what}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    fn message(problem: Problem, text: &str, function: Option<&CStr>) -> String {
        let mut report = Report {
            state: AtomicU32::new(1),
            problem: problem as u32,
            line: 7,
            length: text.len() as u32,
            left: 5,
            right: 3,
            text: [0; 224],
            function: function.map_or(ptr::null(), CStr::as_ptr),
        };
        report.text[..text.len()].copy_from_slice(text.as_bytes());
        // SAFETY: a string of C.
        unsafe { report.message() }
    }

    #[test]
    fn problems_are_told_with_their_place() {
        let told = message(Problem::NoElement, "a.rs", None);
        assert_eq!(told, "a.rs:7: there is no element 5 in an array of 3");
        assert_eq!(message(Problem::Panic, "", None), "a kernel panicked");
        assert_eq!(message(Problem::Message, "a.rno", None), "a.r:7: no");
    }

    #[test]
    fn failures_are_told_as_a_body_does() {
        let told = message(Problem::Failed, "no such row", Some(c"gather"));
        assert_eq!(told, "gather(): no such row");
        let told = message(Problem::FailedWith, "no such row", Some(c"gather"));
        assert_eq!(told, "gather(): no such row: 5");
        assert_eq!(
            message(Problem::FailedWith, "no such row", None),
            "no such row: 5"
        );
    }
}
