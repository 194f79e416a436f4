//! Loads and stores of several elements at once, and of zeros.

use core::mem::MaybeUninit as Any;

use crate::grid::{BLOCK, Element, Grid, ptx};

/// Loads what no thread writes while the kernel runs.
///
/// # Safety
/// The elements must be there, at a multiple of their size together.
#[inline(always)]
pub(in crate::grid) unsafe fn load_constant<T: Element, const L: usize>(from: *const T) -> [T; L] {
    // SAFETY: the caller's.
    unsafe {
        if size_of::<[T; L]>() == 16 {
            T::valid(ptx::load_constant(from.cast()))
        } else {
            load_written(from)
        }
    }
}

#[repr(C, align(16))]
struct By16<P>(P);
#[repr(C, align(8))]
struct By8<P>(P);
#[repr(C, align(4))]
struct By4<P>(P);

/// # Safety
/// As for [`load_constant`].
#[inline(always)]
pub(in crate::grid) unsafe fn load_written<T: Element, const L: usize>(from: *const T) -> [T; L] {
    // SAFETY: the caller's.
    unsafe {
        T::valid(match size_of::<[T; L]>() {
            16 => from.cast::<By16<Any<[T; L]>>>().read().0,
            8 => from.cast::<By8<Any<[T; L]>>>().read().0,
            4 => from.cast::<By4<Any<[T; L]>>>().read().0,
            _ => from.cast::<Any<[T; L]>>().read(),
        })
    }
}

/// # Safety
/// As for [`load_constant`], and no other thread has the elements.
#[inline(always)]
pub(in crate::grid) unsafe fn store<T: Element, const L: usize>(to: *mut T, pack: [T; L]) {
    // SAFETY: the caller's.
    unsafe {
        match size_of::<[T; L]>() {
            16 => to.cast::<By16<[T; L]>>().write(By16(pack)),
            8 => to.cast::<By8<[T; L]>>().write(By8(pack)),
            4 => to.cast::<By4<[T; L]>>().write(By4(pack)),
            _ => to.cast::<[T; L]>().write(pack),
        }
    }
}

/// Sets memory to zeros, before threads add to it.
///
/// # Safety
/// There must be so many bytes, which nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn kernels_zero(start: *mut u8, bytes: usize) {
    let grid = Grid::of(BLOCK);
    let words = if start.addr().is_multiple_of(4) {
        bytes / 4
    } else {
        0
    };
    // SAFETY: inside.
    grid.share(words, |at| unsafe { start.cast::<u32>().add(at).write(0) });
    // SAFETY: inside.
    grid.share(bytes - words * 4, |at| unsafe {
        start.add(words * 4 + at).write(0)
    });
}
