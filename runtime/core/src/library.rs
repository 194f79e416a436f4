//! The library `_functions` of the package.

use std::path::Path;
use std::sync::OnceLock;

use cuvec_spec::{Spec, c};

use crate::error::{Error, Kind, Result};

/// The library, once it is loaded. It stays for as long as the process lives.
static LOADED: OnceLock<Loaded> = OnceLock::new();

/// Libraries of a package's functions.
#[derive(Debug)]
struct Loaded {
    libraries: Vec<&'static c::Library>,
    /// The lowest version of CUDA whose driver runs all of its code; 0 where it was built without CUDA.
    driver: i32,
}

/// Loads the library.
///
/// # Errors
/// `Kind::Unavailable` if it is not there, is damaged or is of another interface.
///
/// # Safety
/// It must be what the build has made of the functions.
pub unsafe fn load(path: &Path) -> Result<()> {
    let unavailable = |why: String| Error::from(Kind::Unavailable(why));
    let cannot = |error| unavailable(format!("cannot load the functions of the package: {error}"));
    // SAFETY: the caller's. It is never unloaded.
    unsafe {
        let library = libloading::Library::new(path).map_err(cannot)?;
        let functions = *library
            .get::<c::Functions>(b"cuvec_functions\0")
            .map_err(cannot)?;
        std::mem::forget(library);
        set(functions)
    }
}

/// Takes the functions from a library that is loaded.
///
/// # Errors
/// As for [`load`].
///
/// # Safety
/// As for [`load`].
pub unsafe fn set(functions: c::Functions) -> Result<()> {
    // SAFETY: the caller's.
    let libraries = unsafe { c::libraries(functions) }.map_err(Kind::Unavailable)?;
    let drivers = libraries.iter().map(|library| library.driver);
    let driver = drivers.max().unwrap_or(0);
    let _ = LOADED.set(Loaded { libraries, driver }); // a second import finds the first
    Ok(())
}

/// The specs of all functions, sorted by name.
///
/// # Errors
/// For a row with an unknown code.
pub(crate) fn specs() -> Result<Vec<Spec>, String> {
    let loaded = LOADED
        .get()
        .ok_or("the functions of the package are not loaded")?;
    let mut specs = Vec::new();
    for library in &loaded.libraries {
        // SAFETY: whoever has loaded it says that it is what the build has made.
        specs.extend(unsafe { library.specs() }?);
    }
    specs.sort_by_key(|spec| spec.name);
    Ok(specs)
}

/// The lowest version of CUDA whose driver runs the package's code, such as 13000; none where it was
/// built without CUDA.
#[must_use]
pub fn oldest_driver() -> Option<i32> {
    let driver = LOADED.get().map_or(0, |loaded| loaded.driver);
    (driver != 0).then_some(driver)
}

/// The libraries that have an image of kernels.
pub(crate) fn with_images() -> impl Iterator<Item = &'static c::Library> {
    let libraries = LOADED.get().map_or(&[][..], |loaded| &loaded.libraries);
    let libraries = libraries.iter().copied();
    libraries.filter(|library| !library.image.is_null())
}
