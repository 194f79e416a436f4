//! The docstring of a function.

/// Checks whether the byte at this place is a blank at the beginning of a line.
const fn is_margin(written: &[u8], at: usize) -> bool {
    written[at] == b' ' && (at == 0 || written[at - 1] == b'\n')
}

/// Where the text ends but for blank lines.
const fn end(written: &[u8]) -> usize {
    let mut end = written.len();
    while end > 0 && matches!(written[end - 1], b' ' | b'\n') {
        end -= 1;
    }
    end
}

/// Bytes of the docstring.
#[must_use]
pub const fn doc_len(written: &str) -> usize {
    let written = written.as_bytes();
    let (mut len, mut at) = (0, 0);
    while at < end(written) {
        len += !is_margin(written, at) as usize;
        at += 1;
    }
    len
}

/// The docstring of what is written: the comments without the blank that each line begins with.
#[must_use]
pub const fn doc<const LEN: usize>(written: &str) -> [u8; LEN] {
    let written = written.as_bytes();
    let (mut doc, mut len, mut at) = ([0; LEN], 0, 0);
    while at < end(written) {
        if !is_margin(written, at) {
            doc[len] = written[at];
            len += 1;
        }
        at += 1;
    }
    doc
}

/// The text of these bytes.
///
/// # Panics
/// When they are none.
#[must_use]
pub const fn text(bytes: &'static [u8]) -> &'static str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a docstring is not UTF-8"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_lose_their_margin() {
        const WRITTEN: &str = " Scale `x`.\n\n     an example\n ü\n\n";
        const DOC: [u8; doc_len(WRITTEN)] = doc(WRITTEN);
        assert_eq!(text(&DOC), "Scale `x`.\n\n    an example\nü");
        assert_eq!(doc_len(""), 0);
    }
}
