//! The declaration in the words of NumPy, without the names that Python does not have: `_y: T(n)`.

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

/// The signature of what is written.
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
