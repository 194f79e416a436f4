//! The lowest Python a generated package supports.

use std::fmt;
use std::str::FromStr;

/// Minor versions of Python 3 that generated packages are built and tested on.
///
/// 3.11 is the first whose stable ABI has the buffer protocol.
const SUPPORTED: std::ops::RangeInclusive<u8> = 11..=15;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PythonVersion {
    minor: u8,
}

impl PythonVersion {
    pub const LOWEST: Self = Self {
        minor: *SUPPORTED.start(),
    };

    /// All supported versions, oldest first.
    pub fn supported() -> impl DoubleEndedIterator<Item = Self> {
        SUPPORTED.map(|minor| Self { minor })
    }

    pub fn parts(self) -> (u8, u8) {
        (3, self.minor)
    }

    /// The digits of tags such as `cp311`.
    pub fn tag(self) -> String {
        format!("3{}", self.minor)
    }

    /// Trove classifiers from this version to the newest supported one, as lines of a TOML array.
    pub fn classifiers(self) -> String {
        let lines: Vec<_> = Self::supported()
            .filter(|version| *version >= self)
            .map(|version| format!("  \"Programming Language :: Python :: {version}\","))
            .collect();
        lines.join("\n")
    }
}

impl fmt::Display for PythonVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "3.{}", self.minor)
    }
}

impl FromStr for PythonVersion {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::supported()
            .find(|version| version.to_string() == text)
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classifiers_start_at_the_lowest() {
        let version: PythonVersion = "3.14".parse().unwrap();
        assert_eq!(
            version.classifiers(),
            "  \"Programming Language :: Python :: 3.14\",\n  \"Programming Language :: Python :: 3.15\","
        );
        assert_eq!(version.tag(), "314");
    }

    #[test]
    fn only_supported_minor_versions_parse() {
        for text in ["3.11", "3.12", "3.13", "3.14", "3.15"] {
            assert_eq!(text.parse::<PythonVersion>().unwrap().to_string(), text);
        }
        for text in [
            "3.10",
            "3.16",
            "3",
            "3.11.2",
            "3.011",
            "+3.11",
            "",
            "python3.11",
        ] {
            assert!(text.parse::<PythonVersion>().is_err(), "{text}");
        }
    }
}
