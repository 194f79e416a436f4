//! The texts of a function: the docstring, and the declaration in the words of NumPy.

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

/// Where the name that starts here ends, with the colon and the blank behind it, if it begins with an
/// underscore and is one of a result.
const fn skipped(written: &[u8], at: usize) -> usize {
    let mut end = at;
    if written[at] == b'_'
        && at >= 2
        && written[at - 1] == b' '
        && matches!(written[at - 2], b'>' | b',')
    {
        while written[end] != b':' {
            end += 1;
        }
        end += 2;
    }
    end
}

/// Where the results begin.
const fn results(written: &[u8]) -> usize {
    let mut at = 1;
    while at < written.len() {
        if written[at - 1] == b'-' && written[at] == b'>' {
            return at;
        }
        at += 1;
    }
    at
}

/// Bytes of the signature.
#[must_use]
pub const fn signature_len(written: &str) -> usize {
    let written = written.as_bytes();
    let (mut len, mut at) = (0, 0);
    while at < written.len() {
        if at > results(written) {
            at = skipped(written, at);
        }
        len += 1;
        at += 1;
    }
    len
}

/// The signature of what is written, without the names that Python does not have: `_y: T(n)`.
#[must_use]
pub const fn signature<const LEN: usize>(written: &str) -> [u8; LEN] {
    let written = written.as_bytes();
    let (mut signature, mut len, mut at) = ([0; LEN], 0, 0);
    while at < written.len() {
        if at > results(written) {
            at = skipped(written, at);
        }
        signature[len] = written[at];
        len += 1;
        at += 1;
    }
    signature
}

/// The name that Python has for what is called so.
#[must_use]
pub const fn name(written: &'static str) -> &'static str {
    if written.as_bytes()[0] == b'_' {
        ""
    } else {
        written
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
