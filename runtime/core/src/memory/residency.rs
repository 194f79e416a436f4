//! Signs that the host has used a block of managed memory since the last GPU call.
//!
//! Both can be wrong, and then cost time only. On the host, memory that was written has
//! other values than the last call left there. On the GPU, pages that the host touched have
//! left it and are back in the process's page table.

#[cfg(target_os = "linux")]
use crate::fork::Once;

/// Places in a block whose values are remembered.
const PLACES: usize = 8;

/// Values found in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sample([u64; PLACES]);

impl Sample {
    /// Samples memory that the host may read without migrating it.
    ///
    /// # Safety
    /// All words of eight bytes that have one of the `bytes` bytes, at least one, must be readable.
    pub unsafe fn take(address: usize, bytes: usize) -> Self {
        let start = address / size_of::<u64>() * size_of::<u64>();
        let words = (address + bytes - start).div_ceil(size_of::<u64>());
        Self(std::array::from_fn(|place| {
            let word = (words - 1) * place / (PLACES - 1);
            // SAFETY: the word is in the block. Others may write to it meanwhile, which
            // makes the sample wrong and nothing else.
            unsafe { (start as *const u64).add(word).read_volatile() }
        }))
    }
}

/// True if this system tells which memory the host has touched.
pub const WORKS: bool = cfg!(target_os = "linux");

/// Checks whether the host has touched memory that was migrated to the GPU: most of it, not just an
/// element.
pub fn host_touched(address: usize, bytes: usize) -> bool {
    let [first, second] = [bytes / 4, bytes / 4 * 3].map(|place| (address + place) / page());
    is_in_page_table(first) && (first == second || is_in_page_table(second))
}

/// Bytes of a page of this system.
#[cfg(target_os = "linux")]
pub fn page() -> usize {
    static PAGE: Once<usize> = Once::new();
    // SAFETY: asks for a size.
    let ask = || unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize };
    *PAGE.get().unwrap_or_else(|| PAGE.keep(ask()))
}

#[cfg(not(target_os = "linux"))]
pub fn page() -> usize {
    4096
}

/// Bytes of the pages that so many bytes take.
pub fn in_pages(bytes: usize) -> usize {
    let mask = page() - 1; // a page is a power of two: no division, which takes long
    (bytes + mask) & !mask
}

#[cfg(target_os = "linux")]
fn is_in_page_table(index: usize) -> bool {
    let mut present = 0_u8;
    // SAFETY: asks for one byte about one page.
    let status = unsafe { libc::mincore((index * page()) as *mut _, page(), &raw mut present) };
    status == 0 && present & 1 == 1
}

#[cfg(not(target_os = "linux"))]
fn is_in_page_table(_: usize) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_sees_both_ends_and_the_middle() {
        let mut block = vec![0_u64; 4096];
        // SAFETY: the block's own address and size.
        let sample =
            |block: &[u64]| unsafe { Sample::take(block.as_ptr() as usize, size_of_val(block)) };
        let before = sample(&block);
        assert!(before == sample(&block));
        for range in [0..1, 4095..4096, 1024..3072] {
            block[range.clone()].fill(1);
            assert!(before != sample(&block), "{range:?}");
            block.fill(0);
        }
    }

    #[test]
    fn a_sample_of_less_than_a_word_sees_it() {
        #[repr(align(8))]
        struct Block([u8; 64]);
        let mut block = Block([0; 64]);
        for bytes in [1, 3, 4, 8, 12, 20] {
            // SAFETY: the words around these bytes are in the block.
            let sample =
                |block: &Block| unsafe { Sample::take(&raw const block.0[4] as usize, bytes) };
            let before = sample(&block);
            for place in [4, 3 + bytes] {
                block.0[place] = 1;
                assert!(before != sample(&block), "{place} of {bytes}");
                block.0[place] = 0;
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn touched_pages_are_seen() {
        // Pages that are so far only promised: of fewer than 32 MiB the allocator may have some that
        // another test has used.
        let mut block = vec![0_u8; 1 << 26];
        let (address, bytes) = (block.as_ptr() as usize, block.len());
        assert!(!host_touched(address, bytes));
        block[0] = 1;
        assert!(!host_touched(address, bytes));
        block.fill(1);
        assert!(host_touched(address, bytes));
    }
}
