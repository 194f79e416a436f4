//! The calling thread's CUDA context, which other libraries set too.

use std::ptr;

use cudarc::driver::{result::ctx, sys::CUcontext};

use crate::error::Result;

/// Puts the thread's previous context back when dropped.
pub struct Current {
    previous: Option<CUcontext>,
    changed: bool,
}

impl Current {
    /// Keeps the context as it is, whatever happens until the guard is dropped.
    pub(crate) fn remember() -> Result<Self> {
        cudarc::driver::result::init()?;
        let previous = ctx::get_current()?;
        Ok(Self {
            previous,
            changed: true,
        })
    }

    #[inline]
    pub(crate) fn set(context: CUcontext) -> Result<Self> {
        let previous = ctx::get_current()?;
        let changed = previous != Some(context);
        if changed {
            // SAFETY: a primary context that this process retains.
            unsafe { ctx::set_current(context) }?;
        }
        Ok(Self { previous, changed })
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        if self.changed {
            // A context that its owner has destroyed meanwhile cannot be put back, and
            // nobody is left to be told.
            // SAFETY: a handle from the driver, or none.
            let _ = unsafe { ctx::set_current(self.previous.unwrap_or(ptr::null_mut())) };
        }
    }
}
