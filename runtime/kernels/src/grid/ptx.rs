//! The instructions of the GPU that Rust has no functions for.
//!
//! Instructions that threads execute together are never `pure`, so that the compiler does not move
//! them to where only some of them come by.

pub mod float;

use core::arch::asm;
use core::mem::{MaybeUninit, transmute_copy};

use super::Element;

macro_rules! registers {
    ($($(#[$doc:meta])* $name:ident = $register:literal;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name() -> u32 {
                let value;
                // SAFETY: reads a register that never changes.
                unsafe {
                    asm!(
                        concat!("mov.u32 {}, %", $register, ";"),
                        out(reg32) value,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                value
            }
        )*
    };
}

registers! {
    thread_in_block = "tid.x";
    threads_in_block = "ntid.x";
    block = "ctaid.x";
    blocks = "nctaid.x";
    lane = "laneid";
    row_in_block = "tid.y";
    rows_in_block = "ntid.y";
    block_below = "ctaid.y";
}

/// Loads bytes that no thread writes while the kernel runs.
///
/// # Safety
/// They must be 16, in global memory, at a multiple of 16.
#[inline(always)]
pub unsafe fn load_constant<T>(from: *const T) -> T {
    let mut words = [0_u32; 4];
    let [a, b, c, d] = &mut words;
    // SAFETY: the caller's. Not `pure`: the compiler would move several loads apart again, each to
    // where it is used.
    unsafe {
        asm!(
            "{{",
            ".reg .b64 from;",
            "cvta.to.global.u64 from, {from};",
            "ld.global.nc.v4.b32 {{{a}, {b}, {c}, {d}}}, [from];",
            "}}",
            from = in(reg64) from,
            a = out(reg32) *a,
            b = out(reg32) *b,
            c = out(reg32) *c,
            d = out(reg32) *d,
            options(nomem, nostack, preserves_flags),
        );
        transmute_copy(&words)
    }
}

macro_rules! shared_accesses {
    ($($size:pat => $bits:ident $register:ident $type:literal,)*) => {
        /// Loads an element from shared memory. Pointers do not know that they are to shared
        /// memory, and access it more slowly.
        ///
        /// # Safety
        /// It must be there, in shared memory.
        #[inline(always)]
        pub unsafe fn load_shared<T: Element>(offset: u32) -> T {
            match size_of::<T>() {
                16 => {
                    let (low, high): (u64, u64);
                    // SAFETY: the caller's.
                    unsafe {
                        asm!(
                            "ld.shared.v2.b64 {{{}, {}}}, [{}];",
                            out(reg64) low, out(reg64) high, in(reg32) offset,
                            options(readonly, nostack, preserves_flags),
                        );
                        transmute_copy(&[low, high])
                    }
                }
                $($size => {
                    let bits: $bits;
                    // SAFETY: the caller's.
                    unsafe {
                        asm!(
                            concat!("ld.shared.", $type, " {}, [{}];"),
                            out($register) bits, in(reg32) offset,
                            options(readonly, nostack, preserves_flags),
                        );
                        transmute_copy(&bits)
                    }
                })*
            }
        }

        /// Stores an element in shared memory.
        ///
        /// # Safety
        /// Its place must be in shared memory, and no other thread's.
        #[inline(always)]
        pub unsafe fn store_shared<T: Element>(offset: u32, value: T) {
            match size_of::<T>() {
                16 => {
                    // SAFETY: the caller's.
                    unsafe {
                        let [low, high]: [u64; 2] = transmute_copy(&value);
                        asm!(
                            "st.shared.v2.b64 [{}], {{{}, {}}};",
                            in(reg32) offset, in(reg64) low, in(reg64) high,
                            options(nostack, preserves_flags),
                        );
                    }
                }
                $($size => {
                    // SAFETY: the caller's.
                    unsafe {
                        let bits: $bits = transmute_copy(&value);
                        asm!(
                            concat!("st.shared.", $type, " [{}], {};"),
                            in(reg32) offset, in($register) bits,
                            options(nostack, preserves_flags),
                        );
                    }
                })*
            }
        }
    };
}

shared_accesses! {
    8 => u64 reg64 "b64",
    4 => u32 reg32 "b32",
    2 => u16 reg16 "b16",
    _ => u8 reg16 "b8",
}

macro_rules! stores_apart {
    ($($bytes:literal => $bits:ty: $register:ident $type:literal $places:literal [$($at:literal)+] $word:expr;)*) => {
        /// Stores elements in global memory, if they are there, that nobody reads while the kernel runs, which is no memory to the
        /// compiler. It does not see a branch either, in which it would work them out.
        ///
        /// # Safety
        /// Those that are there must have a place there, at a multiple of their size together.
        #[inline(always)]
        pub unsafe fn store_apart<T, const L: usize>(is_there: bool, to: *mut T, pack: [T; L]) {
            let from = &raw const pack;
            match size_of::<[T; L]>() {
                $($bytes => {
                    // SAFETY: the caller's.
                    unsafe {
                        let bits = from.cast::<$bits>().read_unaligned();
                        asm!(
                            concat!("{{ .reg .pred p; .reg .b64 to; setp.ne.b32 p, {}, 0; cvta.to.global.u64 to, {}; @p st.global.", $type, " [to], ", $places, "; }}"),
                            in(reg32) u32::from(is_there), in(reg64) to, $(in($register) $word(bits[$at])),+,
                            options(nomem, nostack, preserves_flags),
                        );
                    }
                })*
                // SAFETY: the caller's.
                bytes => if is_there { unsafe { core::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), bytes) } },
            }
        }
    };
}

stores_apart! {
    16 => [u32; 4]: reg32 "v4.b32" "{{{}, {}, {}, {}}}" [0 1 2 3] joined::<T>;
    8 => [u32; 2]: reg32 "v2.b32" "{{{}, {}}}" [0 1] joined::<T>;
    4 => [u32; 1]: reg32 "b32" "{}" [0] joined::<T>;
    2 => [u16; 1]: reg16 "b16" "{}" [0] core::convert::identity;
}

/// The word, which is of such elements. Two of 16 bits are joined by an instruction: LLVM would shift one and add the other.
#[inline(always)]
fn joined<T>(word: u32) -> u32 {
    if size_of::<T>() != 2 {
        return word;
    }
    let whole;
    // SAFETY: arithmetic.
    unsafe {
        asm!(
            "mov.b32 {}, {{{}, {}}};",
            out(reg32) whole, in(reg16) word as u16, in(reg16) (word >> 16) as u16,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    whole
}

/// The same number, which the compiler does not know: a loop of so many is not written out.
#[inline(always)]
pub fn unknown(number: usize) -> usize {
    let same;
    // SAFETY: copies a register.
    unsafe {
        asm!("mov.b64 {}, {};", out(reg64) same, in(reg64) number, options(pure, nomem, nostack, preserves_flags));
    }
    same
}

/// Waits for all threads of the block; what they wrote before can be read after.
#[inline(always)]
pub fn barrier() {
    // SAFETY: orders memory. Threads that have ended are not waited for.
    unsafe { asm!("barrier.sync 0;", options(nostack, preserves_flags)) };
}

/// Waits for all threads of the block, which tell each other words. Memory stays as it is.
#[inline(always)]
pub fn barrier_of_words() {
    // SAFETY: threads that have ended are not waited for.
    unsafe { asm!("barrier.sync 0;", options(nomem, nostack, preserves_flags)) };
}

/// Waits for all threads of the warp. Memory stays as it is.
#[inline(always)]
pub fn barrier_of_warp() {
    // SAFETY: threads that have ended are not waited for.
    unsafe {
        asm!(
            "bar.warp.sync -1;",
            options(nomem, nostack, preserves_flags)
        )
    };
}

/// Leaves a word for other threads, between two barriers of words.
///
/// # Safety
/// It must have a place there, in shared memory, which is this thread's.
#[inline(always)]
pub unsafe fn leave_word(offset: u32, word: MaybeUninit<u32>) {
    // SAFETY: the caller's.
    unsafe {
        asm!("st.shared.b32 [{}], {};", in(reg32) offset, in(reg32) word, options(nomem, nostack, preserves_flags))
    };
}

/// The word that a thread has left.
///
/// # Safety
/// One must have, before the last barrier of words.
#[inline(always)]
pub unsafe fn take_word(offset: u32) -> MaybeUninit<u32> {
    let word: MaybeUninit<u32>;
    // SAFETY: the caller's.
    unsafe {
        asm!("ld.shared.b32 {}, [{}];", out(reg32) word, in(reg32) offset, options(nomem, nostack, preserves_flags))
    };
    word
}

/// The value of the thread that is so many lanes after this one, in a whole warp.
#[inline(always)]
pub fn shuffle_down(value: u32, lanes: u32) -> u32 {
    let other;
    // SAFETY: exchanges registers.
    unsafe {
        asm!(
            "shfl.sync.down.b32 {}, {}, {}, 31, -1;",
            out(reg32) other, in(reg32) value, in(reg32) lanes,
            options(nomem, nostack, preserves_flags),
        );
    }
    other
}

/// The value of the thread that is so many lanes before this one, in a whole warp.
#[inline(always)]
pub fn shuffle_up(value: u32, lanes: u32) -> u32 {
    let other;
    // SAFETY: exchanges registers.
    unsafe {
        asm!(
            "shfl.sync.up.b32 {}, {}, {}, 0, -1;",
            out(reg32) other, in(reg32) value, in(reg32) lanes,
            options(nomem, nostack, preserves_flags),
        );
    }
    other
}

/// The value of the thread whose lane differs in these bits.
#[inline(always)]
pub fn shuffle_across(value: u32, bits: u32) -> u32 {
    let other;
    // SAFETY: exchanges registers.
    unsafe {
        asm!(
            "shfl.sync.bfly.b32 {}, {}, {}, 31, -1;",
            out(reg32) other, in(reg32) value, in(reg32) bits,
            options(nomem, nostack, preserves_flags),
        );
    }
    other
}

/// Says that the registers of a multiprocessor must be enough for so many threads.
#[inline(always)]
pub fn registers_for<const THREADS: usize>() {
    // SAFETY: a comment, which the backend reads.
    unsafe {
        asm!("// registers for {} threads", const THREADS, options(nomem, nostack, preserves_flags))
    };
}

/// The value of the thread of this lane of a whole warp.
#[inline(always)]
pub fn shuffle_from(value: u32, lane: u32) -> u32 {
    let other;
    // SAFETY: exchanges registers.
    unsafe {
        asm!(
            "shfl.sync.idx.b32 {}, {}, {}, 31, -1;",
            out(reg32) other, in(reg32) value, in(reg32) lane,
            options(nomem, nostack, preserves_flags),
        );
    }
    other
}

/// A bit for each thread of a whole warp.
#[inline(always)]
pub fn ballot(holds: bool) -> u32 {
    let bits;
    // SAFETY: exchanges registers.
    unsafe {
        asm!(
            "{{ .reg .pred holds; setp.ne.u32 holds, {1}, 0; vote.sync.ballot.b32 {0}, holds, -1; }}",
            out(reg32) bits, in(reg32) u32::from(holds),
            options(nostack, preserves_flags),
        );
    }
    bits
}

/// The value of the first thread of a whole warp.
#[inline(always)]
pub fn shuffle_first(value: u32) -> u32 {
    shuffle_from(value, 0)
}

/// Adds one to a number in global memory, at once with other threads, and returns what it was.
///
/// # Safety
/// It must be there.
#[inline(always)]
pub unsafe fn increment(number: *mut i64) -> i64 {
    let before;
    // SAFETY: the caller's.
    unsafe {
        asm!(
            "{{",
            ".reg .b64 number;",
            "cvta.to.global.u64 number, {};",
            "atom.global.add.u64 {}, [number], 1;",
            "}}",
            in(reg64) number, lateout(reg64) before,
            options(nostack, preserves_flags),
        );
    }
    before
}

macro_rules! additions {
    ($($type:ident $register:ident: $add:ident $add_shared:ident;)*) => {
        $(
            /// Adds to a number in global memory, at once with other threads.
            ///
            /// # Safety
            /// It must be there.
            #[inline(always)]
            pub unsafe fn $add(to: *mut $type, value: $type) {
                // SAFETY: the caller's.
                unsafe {
                    asm!(
                        "{{",
                        ".reg .b64 to;",
                        "cvta.to.global.u64 to, {};",
                        concat!("red.global.add.", stringify!($type), " [to], {};"),
                        "}}",
                        in(reg64) to, in($register) value,
                        options(nostack, preserves_flags),
                    );
                }
            }

            /// Adds to a number in shared memory, at once with other threads.
            ///
            /// # Safety
            /// It must be there.
            #[inline(always)]
            pub unsafe fn $add_shared(to: u32, value: $type) {
                // SAFETY: the caller's.
                unsafe {
                    asm!(
                        concat!("red.shared.add.", stringify!($type), " [{}], {};"),
                        in(reg32) to, in($register) value,
                        options(nostack, preserves_flags),
                    );
                }
            }
        )*
    };
}

additions! {
    u32 reg32: add_u32 add_shared_u32;
    u64 reg64: add_u64 add_shared_u64;
    f32 reg32: add_f32 add_shared_f32;
    f64 reg64: add_f64 add_shared_f64;
}

/// Makes what this thread wrote visible to the host, before what it writes next.
#[inline(always)]
pub fn fence_for_host() {
    // SAFETY: orders memory.
    unsafe { asm!("membar.sys;", options(nostack, preserves_flags)) };
}

/// Ends the thread.
#[inline(always)]
pub fn exit() -> ! {
    // SAFETY: nothing of this thread is waited for. Not `noreturn`, after which there is a `trap`.
    unsafe { asm!("exit;", options(nostack, preserves_flags)) };
    loop {}
}

/// Declares shared memory of the block: a name, which no other has, and the number of bytes.
macro_rules! shared {
    ($name:ident: $bytes:expr) => {
        core::arch::global_asm!(
            concat!(".shared .align 16 .b8 ", stringify!($name), "[{}];"),
            const $bytes
        );
    };
}

/// The address of shared memory, as `*mut u8`.
macro_rules! shared_address {
    ($name:ident) => {{
        let address: *mut u8;
        // SAFETY: an address that never changes.
        unsafe {
            core::arch::asm!(
                concat!("cvta.shared.u64 {0}, ", stringify!($name), ";"),
                out(reg64) address,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        address
    }};
}

/// The same address as a number that counts from the start of shared memory.
macro_rules! shared_offset {
    ($name:ident) => {{
        let offset: u32;
        // SAFETY: a number that never changes.
        unsafe {
            core::arch::asm!(
                concat!("mov.u32 {0}, ", stringify!($name), ";"),
                out(reg32) offset,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        offset
    }};
}

pub(super) use {shared, shared_address, shared_offset};
