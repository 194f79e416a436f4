//! Which GPUs an image is for.

use std::ffi::{CStr, c_char};

/// Checks whether a GPU of this compute capability runs the image: PTX for it or earlier
/// ones.
///
/// # Safety
/// The image must be PTX, which ends with a zero.
pub unsafe fn is_for(image: *const c_char, (major, minor): (i32, i32)) -> bool {
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(image) }.to_bytes();
    target(text).is_none_or(|oldest| oldest <= 10 * major + minor)
}

/// The number of the line `.target sm_80`.
fn target(text: &[u8]) -> Option<i32> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let number = lines.find_map(|line| line.strip_prefix(b".target sm_"))?;
    str::from_utf8(number).ok()?.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::is_for;

    #[test]
    fn an_image_is_for_its_target_and_later_ones() {
        let image = c"// .target sm_99\n.version 7.0\r\n.target sm_80\r\n.address_size 64\n";
        let capabilities = [(7, 5), (8, 0), (8, 6), (10, 0)];
        // SAFETY: it ends with a zero.
        let runs = capabilities.map(|gpu| unsafe { is_for(image.as_ptr(), gpu) });
        assert_eq!(runs, [false, true, true, true]);
    }
}
