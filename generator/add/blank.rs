//! CUDA's words and comments as blanks: what is left is C++, for whose grammar there is a parser.

/// A word, or the `<<<…>>>` of a launch, at the place that it had.
#[derive(Debug)]
pub struct Word {
    pub at: usize,
    pub text: String,
}

/// The text with blanks, of the same length and the same lines, and the words.
pub fn blank(text: &str) -> (Vec<u8>, Vec<Word>) {
    let bytes = text.as_bytes();
    let mut left = bytes.to_vec();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let (length, is_word) = match rest {
            [b'/', b'/', ..] => (until(rest, b"\n", 0), false),
            [b'/', b'*', ..] => (until(rest, b"*/", 2), false),
            [quote @ (b'"' | b'\''), ..] => {
                at += literal(rest, *quote);
                continue;
            }
            [b'<', b'<', b'<', ..] => (until(rest, b">>>", 3), true),
            [first, ..] if is_letter(*first) => {
                let word = rest.iter().position(|it| !is_letter(*it));
                let word = word.unwrap_or(rest.len());
                if !is_of_compiler(&rest[..word]) {
                    at += word;
                    continue;
                }
                (word + in_parentheses(&rest[word..]), true)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        if is_word {
            let text = String::from_utf8_lossy(&rest[..length]).into_owned();
            words.push(Word { at, text });
        }
        for byte in left[at..at + length].iter_mut().filter(|it| **it != b'\n') {
            *byte = b' ';
        }
        at += length;
    }
    (left, words)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// `__global__`, `__launch_bounds__` and others, after which there may be something in parentheses.
fn is_of_compiler(word: &[u8]) -> bool {
    word.starts_with(b"__") && (word.ends_with(b"__") && word.len() > 4)
        || word == b"__restrict"
        || word == b"RESTRICT"
}

fn in_parentheses(rest: &[u8]) -> usize {
    let blanks = rest
        .iter()
        .take_while(|it| it.is_ascii_whitespace())
        .count();
    if rest.get(blanks) != Some(&b'(') {
        return 0;
    }
    let mut depth = 0;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    0
}

/// The letters until an end, with so many of it.
fn until(rest: &[u8], end: &[u8], with: usize) -> usize {
    let found = rest[1..].windows(end.len()).position(|it| it == end);
    found.map_or(rest.len(), |at| at + 1 + with)
}

/// A text or a letter in quotes; an apostrophe in a number is none.
fn literal(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' => return 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}
