#[cfg(cuda)]
unsafe extern "C" {
    fn cufftGetVersion(version: *mut i32) -> i32;
}

#[cfg(cuda)]
#[pyfunction]
fn version() -> PyResult<i32> {
    cuvec::require!(cufft)?;
    let mut found = 0;
    // SAFETY: the library is there, and writes a number.
    unsafe { cufftGetVersion(&mut found) };
    Ok(found)
}
