//! How much memory there is to be for an array.

/// The smallest chunk, and what all of them are multiples of, in bytes.
pub const PAGE: usize = 4096;

/// Bytes from which on a chunk is as large as was asked for, up to a page. It may then be used for
/// what is smaller by an eighth at most. From this size on the C library too maps each allocation by
/// itself, and at 64 MiB an eighth that nobody uses would already be 8 MiB.
pub const EXACT: usize = 32 << 20;

/// The size of a new chunk for `bytes` bytes. Smaller ones have classes, the next power of two split
/// into eight: nothing is larger than it needs to be by more than an eighth, or a page.
pub fn of_chunk(bytes: usize) -> Option<usize> {
    let bytes = bytes.max(1);
    let step = match bytes {
        EXACT.. => PAGE,
        _ => (1_usize << bytes.ilog2()) / 8,
    };
    bytes.checked_next_multiple_of(step.max(PAGE))
}

/// The largest free chunk to use where `of_chunk` says `size`.
pub fn largest_to_use(size: usize) -> usize {
    match size {
        EXACT.. => size + size / 8,
        _ => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_wastes_more_than_an_eighth() {
        assert_eq!(of_chunk(0), Some(PAGE));
        assert_eq!(of_chunk(PAGE), Some(PAGE));
        assert_eq!(of_chunk(PAGE + 1), Some(2 * PAGE));
        assert_eq!(of_chunk(usize::MAX), None);
        let (a_mebibyte, eighth) = (1 << 20, 1 << 17); // in a class with all up to the next eighth
        assert_eq!(of_chunk(a_mebibyte + 1), Some(a_mebibyte + eighth));
        for power in 0..40 {
            for bytes in [
                1 << power,
                (1 << power) + 1,
                (5 << power) / 4 + 1,
                (7 << power) / 4,
            ] {
                let size = of_chunk(bytes).unwrap();
                assert!(size >= bytes && size.is_multiple_of(PAGE), "{bytes}");
                assert!(size - bytes <= (bytes / 8).max(PAGE - 1), "{bytes}: {size}");
            }
        }
    }

    #[test]
    fn large_chunks_are_as_large_as_was_asked_for() {
        let large = (20 << 30) + PAGE;
        assert_eq!(of_chunk(large), Some(large));
        assert_eq!(of_chunk(large + 1), Some(large + PAGE));
        assert_eq!(largest_to_use(EXACT - PAGE), EXACT - PAGE);
        assert_eq!(largest_to_use(8 * EXACT), 9 * EXACT);
    }
}
