//! SHA-256 of contents.

use sha2::{Digest, Sha256};

/// The hash, as `sha256sum` writes it.
pub fn sum(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
