//! How much memory this process may use.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a container may use, by its control group of version 2. Elsewhere there is no such file.
const LIMIT_OF_CONTAINER: &str = "/sys/fs/cgroup/memory.max";

/// Bytes of memory of the machine or, if it has less, of the container; `usize::MAX` where the
/// system does not tell.
pub fn memory() -> usize {
    static BYTES: AtomicUsize = AtomicUsize::new(0); // 0: not asked yet
    match BYTES.load(Ordering::Relaxed) {
        0 => {
            let bytes = of_machine().min(limit_in(LIMIT_OF_CONTAINER.as_ref()));
            BYTES.store(bytes, Ordering::Relaxed);
            bytes
        }
        bytes => bytes,
    }
}

#[cfg(unix)]
fn of_machine() -> usize {
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
fn of_machine() -> usize {
    usize::MAX
}

/// The number in a file; without one there is no limit.
fn limit_in(file: &Path) -> usize {
    fs::read_to_string(file)
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_have_limits() {
        let file = std::env::temp_dir().join(format!("memory.max.{}", std::process::id()));
        assert_eq!(limit_in(&file), usize::MAX);
        for (text, limit) in [("max\n", usize::MAX), ("4096\n", 4096)] {
            fs::write(&file, text).unwrap();
            assert_eq!(limit_in(&file), limit, "{text}");
        }
        fs::remove_file(file).unwrap();
    }
}
