//! Signs that the host has used a block of managed memory since the last GPU call.
//!
//! Both can be wrong, and then cost time only. On the host, memory that was written holds
//! other values than the last call left there. On the GPU, pages that the host touched have
//! left it and are back in the process's page table.

/// Places in a block whose values are remembered.
const PLACES: usize = 8;

/// Values found in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sample([u64; PLACES]);

impl Sample {
    /// Of memory that the host may read without moving it.
    ///
    /// # Safety
    /// `bytes` bytes, at least sixteen, must be readable at `address`.
    pub unsafe fn take(address: usize, bytes: usize) -> Self {
        let start = address.next_multiple_of(size_of::<u64>());
        let words = (address + bytes - start) / size_of::<u64>();
        Self(std::array::from_fn(|place| {
            let word = (words - 1) * place / (PLACES - 1);
            // SAFETY: the word is in the block. Others may write to it meanwhile, which
            // makes the sample wrong and nothing else.
            unsafe { (start as *const u64).add(word).read_volatile() }
        }))
    }
}

/// Whether this system tells what the host has touched.
pub const WORKS: bool = cfg!(target_os = "linux");

/// Whether the host has touched memory that was moved to the GPU: most of it, not just an
/// element.
pub fn host_touched(address: usize, bytes: usize) -> bool {
    [bytes / 4, bytes / 4 * 3]
        .into_iter()
        .all(|place| is_in_page_table(address + place))
}

#[cfg(target_os = "linux")]
fn is_in_page_table(address: usize) -> bool {
    let mut present = 0_u8;
    // SAFETY: asks for the size of a page, and for one byte about one page.
    let status = unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        libc::mincore((address / page * page) as *mut _, page, &raw mut present)
    };
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

    #[cfg(target_os = "linux")]
    #[test]
    fn touched_pages_are_seen() {
        let mut block = vec![0_u8; 1 << 24]; // fresh pages, so far only promised
        let (address, bytes) = (block.as_ptr() as usize, block.len());
        assert!(!host_touched(address, bytes));
        block[0] = 1;
        assert!(!host_touched(address, bytes));
        block.fill(1);
        assert!(host_touched(address, bytes));
    }
}
