//! Ranges that profilers show for calls, where `CUVEC_NVTX` names the library of NVTX, `libnvtx3interop.so.1`.

use std::env;
use std::ffi::{CString, c_char, c_int};
use std::path::Path;

use crate::error::{Kind, Result};
use crate::fork::Once;

static NVTX: Once<Option<Result<Nvtx, String>>> = Once::new();

struct Nvtx {
    push: unsafe extern "C" fn(*const c_char) -> c_int,
    pop: unsafe extern "C" fn() -> c_int,
}

/// Ends with its scope, on the thread that has started it.
pub struct Range(&'static Nvtx);

/// Starts a range, if there are to be any.
///
/// # Errors
/// `Kind::Unavailable` if the library cannot be loaded.
#[inline]
pub fn range(name: &str) -> Result<Option<Range>> {
    match NVTX.get() {
        Some(None) => Ok(None),
        Some(Some(loaded)) => started(loaded, name),
        None => {
            NVTX.keep(env::var_os("CUVEC_NVTX").map(|path| load(path.as_ref())));
            range(name)
        }
    }
}

#[cold]
fn started(loaded: &'static Result<Nvtx, String>, name: &str) -> Result<Option<Range>> {
    let nvtx = loaded
        .as_ref()
        .map_err(|why| Kind::Unavailable(why.clone()))?;
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the library copies the name.
    unsafe { (nvtx.push)(name.as_ptr()) };
    Ok(Some(Range(nvtx)))
}

fn load(path: &Path) -> Result<Nvtx, String> {
    let cannot = |error| format!("CUVEC_NVTX is `{}`: {error}", path.display());
    // SAFETY: the user's, whose library it is. It is never unloaded.
    unsafe {
        let library = libloading::Library::new(path).map_err(cannot)?;
        let push = *library.get(b"nvtxRangePushA\0").map_err(cannot)?;
        let pop = *library.get(b"nvtxRangePop\0").map_err(cannot)?;
        std::mem::forget(library);
        Ok(Nvtx { push, pop })
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: a range was started.
        unsafe { (self.0.pop)() };
    }
}
