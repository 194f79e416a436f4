//! Lines that kernels print: `cuvec_print` of `cuvec/abi.h`, and their text.

use std::sync::atomic::AtomicU32;

/// A line that a thread of the GPU has printed, in host memory that the GPU writes.
#[repr(C)]
#[derive(Debug)]
pub struct Print {
    /// 0: nothing. 1: everything else is written.
    pub state: AtomicU32,
    /// Length of the text, in which the values replace `{}`.
    pub length: u32,
    pub kinds: [u8; 8],
    pub values: [u64; 8],
    pub text: [u8; 176],
}

/// Lines that a GPU has memory for.
pub const PRINTS: usize = 256;

impl Print {
    #[must_use]
    pub fn line(&self) -> String {
        let length = self.text.len().min(self.length as usize);
        let values = self.kinds.into_iter().zip(self.values);
        line(&String::from_utf8_lossy(&self.text[..length]), values)
    }
}

/// The text with the values at the places of its `{}`: of each a letter for its type, and its bits.
pub fn line(text: &str, values: impl IntoIterator<Item = (u8, u64)>) -> String {
    let mut values = values.into_iter();
    let mut parts = text.split("{}");
    let mut line = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some((kind, bits)) = values.next() {
            line += &match kind {
                b'i' => bits.cast_signed().to_string(),
                b'f' => f32::from_bits(bits as u32).to_string(),
                b'd' => f64::from_bits(bits).to_string(),
                b'b' => (bits != 0).to_string(),
                _ => bits.to_string(),
            };
        }
        line += part;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn values_are_at_the_places_of_their_braces() {
        let values = [
            (b'u', 3),
            (b'i', u64::MAX),
            (b'f', 0.1_f32.to_bits().into()),
            (b'd', 0.1_f64.to_bits()),
            (b'b', 1),
        ];
        assert_eq!(
            line("x[{}] = {}, {} and {}: {}", values),
            "x[3] = -1, 0.1 and 0.1: true"
        );
        assert_eq!(line("nothing", []), "nothing");
    }
}
