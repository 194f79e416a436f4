//! How much memory the machine has.

use std::sync::OnceLock;

/// Bytes of physical memory, `usize::MAX` where the system does not tell.
pub fn memory() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(measure)
}

#[cfg(unix)]
fn measure() -> usize {
    // SAFETY: reads two numbers.
    let (pages, size) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    match (usize::try_from(pages), usize::try_from(size)) {
        (Ok(pages), Ok(size)) => pages.saturating_mul(size),
        _ => usize::MAX,
    }
}

#[cfg(not(unix))]
fn measure() -> usize {
    usize::MAX
}
