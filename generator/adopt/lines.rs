//! Lines of a declaration: marks, and what is broken as clang-format does.

use crate::add::{WIDTH, aligned, call};
use crate::wording::MARK;

/// A mark, in as many lines as it takes.
pub fn comment(indent: usize, note: &str) -> String {
    let mut lines = vec![format!("{:indent$}{}", "", MARK.trim_end())];
    for word in note.split(' ') {
        let last = lines.len() - 1;
        match lines[last].len() + 1 + word.len() <= WIDTH {
            true => lines[last] += &format!(" {word}"),
            false => lines.push(format!("{:indent$}// {word}", "")),
        }
    }
    lines.join("\n") + "\n"
}

pub fn guarded(is_guarded: bool, text: &str) -> String {
    match is_guarded {
        true => format!("#ifdef CUVEC_CUDA\n{text}#endif\n"),
        false => text.to_owned(),
    }
}

pub fn line(indent: usize, head: &str, items: &[String], tail: &str) -> String {
    aligned(indent, head, items, tail) + "\n"
}

/// In a body.
pub fn statement(head: &str, items: &[String], tail: &str) -> String {
    call(4, head, items, tail) + "\n"
}
