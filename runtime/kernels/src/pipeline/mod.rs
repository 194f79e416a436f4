//! How a function runs: its parameters, and the passes over them. The macro writes pipelines as
//! constants, one for each choice of dtypes, and what is here carries them out on either side.

mod host;
mod on_cpu;
mod on_gpu;
mod panics;
mod parameters;
mod prepare;
mod state;
mod walk;

use core::ffi::c_int;
use core::ops::Range;
use core::{ptr, slice};
use std::sync::atomic::{AtomicPtr, Ordering};

pub use host::Host;
pub use on_cpu::on_cpu;
pub use on_gpu::on_gpu;
pub use panics::keep_messages;
pub use parameters::{Parameters, Reader, placed};
pub use state::{ZERO, destroy};

use crate::call::{Call, Done};
use crate::grid::near::side;
use crate::grid::shared::taken_by;
use crate::grid::{BLOCK, REDUCED, SharedRows, View};
use crate::row::{Value, c};

/// Bytes of shared memory that every block can have: 48 KiB, without the bytes of a reduction.
const MAX_SHARED: usize = (48 << 10) - REDUCED;

/// A function for one choice of dtypes.
pub struct Pipeline {
    pub function: &'static str,
    /// How many arguments and results there are.
    pub arguments: usize,
    /// Which of the slots, behind the arguments, are the state of the object of a method.
    pub state: Range<usize>,
    /// How many slots, behind the results, are the state that a constructor makes.
    pub makes: usize,
    /// Arguments, results, and scratch memory.
    pub slots: &'static [Slot],
    /// None where the declaration has no conditions.
    pub check: Option<Check>,
    /// Work that the thread of the call does first.
    pub host: Option<host::HostBody>,
    /// Says how large scratch memory is.
    pub shapes: unsafe fn(&mut Parameters<'_>),
    pub passes: &'static [Pass],
}

/// Finds the first condition of a declaration that does not hold.
pub type Check = unsafe fn(&Parameters<'_>) -> Option<Unmet>;

/// A condition that does not hold.
pub struct Unmet {
    pub condition: &'static str,
    /// Message of the declaration about it.
    pub message: Option<&'static str>,
}

/// A pipeline, and the bodies that carry it out.
pub struct Runs {
    pub pipeline: &'static Pipeline,
    pub variant: c::Variant,
}

/// A kernel of the image.
pub struct Kernel {
    pub name: &'static str,
    /// Its place in the list that the core has, which it is launched by.
    row: AtomicPtr<c::Kernel>,
}

impl Kernel {
    /// The text is `cuvec kernel NAME\0`, by which `doctor` finds in a wheel which kernels it must have.
    #[must_use]
    pub const fn named(text: &'static str) -> Self {
        let (name, _end) = text.split_at(text.len() - 1);
        let (_start, name) = name.split_at("cuvec kernel ".len());
        let row = AtomicPtr::new(ptr::null_mut());
        Self { name, row }
    }

    /// Says where it is, before the first call.
    pub fn set(&self, row: &'static c::Kernel) {
        self.row
            .store(ptr::from_ref(row).cast_mut(), Ordering::Release);
    }

    fn row(&self) -> *const c::Kernel {
        self.row.load(Ordering::Relaxed)
    }
}

/// Enters a body: what stops it becomes its failure.
///
/// # Safety
/// The call and the values must match the pipeline's function.
#[inline(always)] // once for each side
unsafe fn enter(
    pipeline: &Pipeline,
    call: *mut c::Call,
    values: *const Value,
    run: unsafe fn(&Pipeline, &mut Call<'_>, &[Value]) -> Done,
) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        let mut call = Call::new(call);
        let values = slice::from_raw_parts(values, pipeline.arguments);
        let done = panics::outcome_of(|| run(pipeline, &mut call, values));
        call.end(done)
    }
}

/// Purpose of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)] // as the macro reads them
pub enum Mode {
    scalar,
    read,
    maybe,
    maybe_inout,
    maybe_fresh,
    inout,
    fresh,
    out,
    found,
    scratch,
    /// An array of an object.
    state,
    /// The number of passes that are repeated.
    counter,
    // with strides
    read_strided,
    inout_strided,
    fresh_strided,
    read_rows,
    inout_rows,
    fresh_rows,
}

impl Mode {
    /// True if it is an array that may be None.
    #[must_use]
    pub const fn may_be_none(self) -> bool {
        matches!(self, Self::maybe | Self::maybe_inout | Self::maybe_fresh)
    }

    #[must_use]
    pub const fn is_counter(self) -> bool {
        matches!(self, Self::counter)
    }

    #[must_use]
    pub const fn is_array(self) -> bool {
        !matches!(self, Self::scalar | Self::counter)
    }

    /// True if strides follow the extents of an array.
    #[must_use]
    pub const fn has_strides(self) -> bool {
        matches!(
            self,
            Self::read_strided
                | Self::inout_strided
                | Self::fresh_strided
                | Self::read_rows
                | Self::inout_rows
                | Self::fresh_rows
        )
    }
}

/// A parameter of all kernels of a function.
pub struct Slot {
    pub name: &'static str,
    pub mode: Mode,
    pub has_strides: bool,
    /// A number that counts, and so is not negative.
    pub is_index: bool,
    /// Bytes of an element.
    pub size: usize,
    /// None for `[...]`, which is one length.
    pub rank: Option<u8>,
    /// Where the parameter is among a kernel's: as [`placed`] says.
    pub start: usize,
    /// Bytes of the parameter.
    pub bytes: usize,
    pub alignment: usize,
}

impl Slot {
    /// How many extents the parameter has.
    fn axes(&self) -> usize {
        self.rank.unwrap_or(1).into()
    }
}

/// A launch.
pub struct Pass {
    /// One for each way in which its blocks load rows, if they share any.
    pub kernels: &'static [Kernel],
    pub unit: Unit,
    /// How often, where that is not once.
    pub repeat: Option<Repeat>,
    /// Threads of a block of the GPU.
    pub threads: u32,
    /// Bytes of shared memory of a block of the GPU, besides those that depend on sizes.
    pub memory: usize,
    /// A bit for each slot that it writes.
    pub writes: u32,
    /// Units that a block of the GPU takes: a power of two.
    pub per_block: usize,
    pub work: unsafe fn(&Parameters<'_>) -> Work,
    /// Runs some of so many blocks on the CPU; of 0 blocks, so many elements that a walk has brought together.
    pub run: unsafe fn(&Parameters<'_>, Range<usize>, usize),
}

/// Passes that are repeated have a number, which is a parameter.
#[derive(Clone, Copy)]
pub struct Repeat {
    pub slot: usize,
    pub range: unsafe fn(&Parameters<'_>) -> Range<usize>,
}

/// Unit in which work is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Elements, several to a thread.
    Elements,
    /// A thread for each.
    Threads,
    /// A warp for each.
    Warps,
    /// A block for each square of elements.
    Tiles,
    /// Elements that are shared among a few blocks, which add to what they write.
    Over,
    /// A block for each.
    Blocks,
}

/// Threads of a warp.
const WARP: usize = 32;

impl Unit {
    /// How many of them a block of the GPU takes whose threads load so many elements at once.
    #[must_use]
    pub const fn per_block(self, lanes: usize) -> usize {
        match self {
            Self::Elements => BLOCK as usize * lanes,
            Self::Threads => BLOCK as usize,
            Self::Warps => BLOCK as usize / WARP,
            Self::Over => 8 * BLOCK as usize,
            Self::Tiles | Self::Blocks => 1,
        }
    }
}

/// How much there is to do.
#[derive(Clone, Copy)]
pub struct Work {
    pub units: usize,
    /// Bytes of shared memory of a block.
    pub shared: usize,
    /// Blocks of the GPU, where the declaration says how many.
    pub blocks: Option<usize>,
    /// Rows that blocks share.
    pub rows: Option<SharedRows>,
}

impl Work {
    #[must_use]
    pub fn of(units: usize) -> Self {
        Self {
            units,
            shared: 0,
            blocks: None,
            rows: None,
        }
    }

    /// So many units, each a row that a block or a part of one shares.
    #[must_use]
    pub fn of_rows(units: usize, rows: SharedRows) -> Self {
        Self {
            rows: Some(rows),
            ..Self::of(units)
        }
    }

    /// In so many blocks of the GPU.
    #[must_use]
    pub fn in_blocks(self, blocks: usize) -> Self {
        Self {
            blocks: Some(blocks.max(1)),
            ..self
        }
    }

    #[must_use]
    pub fn with_tile<T, M>(self, _of: &View<T, 2, M>, halo: usize) -> Self {
        self.with_shared::<T>(side(halo).saturating_mul(side(halo)))
    }

    #[must_use]
    pub fn with_shared<T>(self, len: usize) -> Self {
        let bytes = len.saturating_mul(size_of::<T>()).min(usize::MAX / 4);
        Self {
            shared: self.shared.saturating_add(taken_by(bytes)),
            ..self
        }
    }
}

impl Pipeline {
    /// The slots that a pass of [`Unit::Over`] adds to, and no pass before has written: they start as
    /// zeros.
    fn zeroed(&self, pass: usize) -> impl Iterator<Item = usize> {
        let loop_of = |pass: &Pass| pass.repeat.map(|repeat| repeat.slot);
        let this = loop_of(&self.passes[pass]);
        let written = self.passes[..pass]
            .iter()
            .filter(|pass| loop_of(pass).is_none_or(|other| Some(other) == this)) // others may have no steps
            .fold(0, |bits, pass| bits | pass.writes);
        let is_new = move |(index, slot): &(usize, &Slot)| {
            matches!(slot.mode, Mode::fresh | Mode::out | Mode::scratch)
                && written & (1 << index) == 0
        };
        self.slots
            .iter()
            .enumerate()
            .filter(is_new)
            .map(|(index, _)| index)
    }
}

/// A bit for each of the names that is among the written ones; all for `*`.
#[must_use]
pub const fn mask(names: &[&str], written: &[&str]) -> u32 {
    let (mut bits, mut index) = (0, 0);
    while index < names.len() {
        if crate::row::is_written(names[index], &[written]) {
            bits |= 1 << index;
        }
        index += 1;
    }
    bits
}

/// Where this one of the names is.
#[must_use]
pub const fn place(names: &[&str], name: &str) -> usize {
    mask(names, &[name]).trailing_zeros() as usize
}

/// The rank of an array whose extents are written so.
#[must_use]
pub const fn rank(extents: &str, count: u8) -> Option<u8> {
    if crate::row::same(extents, "...") {
        None
    } else {
        Some(count)
    }
}
