//! Notices `fork`, which neither CUDA contexts nor thread pools survive.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

static FORKS: AtomicUsize = AtomicUsize::new(0);

/// Counts the forks between the first call of this function and now, in this process and
/// those it comes from.
pub fn generation() -> usize {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        #[cfg(unix)]
        // SAFETY: the handler only adds to an atomic, which is allowed after a fork.
        unsafe {
            libc::pthread_atfork(None, None, Some(count_fork));
        }
    });
    FORKS.load(Ordering::Relaxed)
}

#[cfg(unix)]
extern "C" fn count_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}
