//! Instructions of GPUs from sm_80 on: see `raise_target` of the build backend.
//!
//! Instructions that a warp's threads execute together are never `pure`, as in the module above.

use core::arch::asm;

/// Starts to copy 16 bytes from global to shared memory, of which the first so many are loaded and the others are zeros.
///
/// # Safety
/// They must be there, at multiples of 16, until the copies are waited for.
#[inline(always)]
pub unsafe fn copy(to: u32, from: *const u8, bytes: u32) {
    // SAFETY: the caller's.
    unsafe {
        asm!(
            "{{",
            ".reg .b64 from;",
            "cvta.to.global.u64 from, {};",
            "cp.async.cg.shared.global [{}], [from], 16, {};",
            "}}",
            in(reg64) from, in(reg32) to, in(reg32) bytes,
            options(nostack, preserves_flags),
        );
    }
}

/// Ends a group of copies of this thread.
#[inline(always)]
pub fn commit() {
    // SAFETY: orders memory.
    unsafe { asm!("cp.async.commit_group;", options(nostack, preserves_flags)) };
}

/// Waits for all groups of copies of this thread but the last two.
#[inline(always)]
pub fn wait_for_all_but_two() {
    // SAFETY: only waits.
    unsafe { asm!("cp.async.wait_group 2;", options(nostack, preserves_flags)) };
}

/// Waits for all threads of the warp, which go on together.
#[inline(always)]
pub fn together() {
    // SAFETY: only waits; threads that have ended are not waited for.
    unsafe { asm!("bar.warp.sync -1;", options(nostack, preserves_flags)) };
}

macro_rules! loads {
    ($($(#[$doc:meta])* $name:ident $transposed:literal;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// All threads of a warp must come here, each with the place of a row, in shared memory.
            #[inline(always)]
            pub unsafe fn $name(row: u32) -> [u32; 4] {
                let (a, b, c, d);
                // SAFETY: the caller's.
                unsafe {
                    asm!(
                        concat!("ldmatrix.sync.aligned.m8n8.x4", $transposed, ".shared.b16 {{{}, {}, {}, {}}}, [{}];"),
                        out(reg32) a, out(reg32) b, out(reg32) c, out(reg32) d, in(reg32) row,
                        options(readonly, nostack, preserves_flags),
                    );
                }
                [a, b, c, d]
            }
        )*
    };
}

loads! {
    /// Loads four matrices of 8 rows of 16 bytes each.
    load "";
    /// Loads four matrices of 8 by 8 elements of 16 bits each, transposed.
    load_transposed ".trans";
}

/// The bits of the nearest number that has 11 bits.
#[inline(always)]
pub fn to_tf32(bits: u32) -> u32 {
    let rounded;
    // SAFETY: arithmetic.
    unsafe {
        asm!(
            "cvt.rna.tf32.f32 {}, {};",
            out(reg32) rounded, in(reg32) bits,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    rounded
}

/// Adds the product of 16 rows and 8 columns, which all threads of a warp have together.
pub mod multiply {
    macro_rules! products {
        ($($name:ident $shape:literal $dtype:literal;)*) => {
            $(
                #[inline(always)]
                pub fn $name([s, t, u, v]: &mut [f32; 4], [a, b, c, d]: [u32; 4], [e, f]: [u32; 2]) {
                    // SAFETY: exchanges registers.
                    unsafe {
                        core::arch::asm!(
                            concat!(
                                "mma.sync.aligned.", $shape, ".row.col.f32.", $dtype, ".", $dtype, ".f32 ",
                                "{{{s}, {t}, {u}, {v}}}, {{{a}, {b}, {c}, {d}}}, {{{e}, {f}}}, {{{s}, {t}, {u}, {v}}};"
                            ),
                            s = inout(reg32) *s, t = inout(reg32) *t, u = inout(reg32) *u, v = inout(reg32) *v,
                            a = in(reg32) a, b = in(reg32) b, c = in(reg32) c, d = in(reg32) d,
                            e = in(reg32) e, f = in(reg32) f,
                            options(nomem, nostack, preserves_flags),
                        );
                    }
                }
            )*
        };
    }
    products! {
        f16 "m16n8k16" "f16";
        bf16 "m16n8k16" "bf16";
        f32 "m16n8k8" "tf32";
    }
}
