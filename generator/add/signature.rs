//! The declaration in lines that could be joined by blanks.

use cuvec_declare::signature::words;

use super::declaration::Declaration;

/// Width of the first line, after `static constexpr auto signature = R"(`.
const WIDTH: usize = 60;

pub fn signature(d: &Declaration) -> Vec<String> {
    filled(&words(d, 0))
}

fn filled(words: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= WIDTH => *line += &format!(" {word}"),
            _ => lines.push(word.clone()),
        }
    }
    lines
}
