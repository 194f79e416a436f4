//! The state of an object: arrays in memory of its own, which are zeros at first.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::{ptr, slice};
use std::boxed::Box;
use std::format;
use std::vec::Vec;

use super::{Kernel, Parameters, Pipeline};
use crate::call::{Call, Done, Failure, Memory};
use crate::grid::BLOCK;
use crate::row::{Status, c};

/// Where scratch memory is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scratch {
    /// In memory of the host's, or where there is little of it, on the heap.
    OnCpu,
    OnGpu,
}

/// Arrays in the order of their declaration.
#[derive(Default)]
pub struct State(Vec<(Memory, Box<[usize]>)>);

impl State {
    /// Adds the array of a slot, full of zeros, and puts it.
    ///
    /// # Safety
    /// Its extents must have been put.
    pub unsafe fn add(
        &mut self,
        pipeline: &Pipeline,
        slot: usize,
        parameters: &mut Parameters,
        call: &mut Call<'_>,
        side: Scratch,
    ) -> Done {
        // SAFETY: the caller's.
        let (bytes, shape) = unsafe { (parameters.bytes_of(slot), parameters.shape(slot).into()) };
        let bytes = bytes.ok_or_else(|| {
            let (name, function) = (pipeline.slots[slot].name, pipeline.function);
            Failure::new(
                Status::Memory,
                format!("cannot allocate {name} of a {function}"),
            )
        })?;
        let memory = call.allocate(bytes.max(1))?;
        let start = memory.start.cast::<u8>();
        // SAFETY: so many bytes, on this side.
        unsafe {
            match side {
                Scratch::OnCpu => ptr::write_bytes(start, 0, bytes),
                Scratch::OnGpu => zero(call, start, bytes)?,
            }
            parameters.set_address(slot, start);
        }
        self.0.push((memory, shape));
        Ok(())
    }

    /// Returns the object that methods get in `Call::object`.
    pub fn into_object(self) -> *mut c_void {
        Box::into_raw(Box::new(self)).cast()
    }

    /// Puts the state of the object that a method works on.
    ///
    /// # Safety
    /// It must be a method of the class that has made the object.
    pub unsafe fn put(pipeline: &Pipeline, call: &Call<'_>, parameters: &mut Parameters) {
        // SAFETY: the caller's: made above, and one call uses it at a time.
        let state = unsafe { &*call.object().cast::<Self>() };
        for (slot, (memory, shape)) in pipeline.state.clone().zip(&state.0) {
            parameters.set_shape(slot, shape);
            // SAFETY: the object has it as long as it lives.
            unsafe { parameters.set_address(slot, memory.start.cast()) };
        }
    }
}

/// Ends an object.
///
/// # Safety
/// It must be one that a constructor has made, and that nothing uses any more.
pub unsafe extern "C" fn destroy(object: *mut c_void) {
    // SAFETY: the caller's.
    drop(unsafe { Box::from_raw(object.cast::<State>()) });
}

/// The kernel that sets memory to zeros: `grid/gpu/access.rs`.
pub static ZERO: Kernel = Kernel::named("cuvec kernel kernels_zero\0");

/// # Safety
/// There must be so many bytes, which the function may write.
pub unsafe fn zero(call: &mut Call<'_>, start: *mut u8, bytes: usize) -> Done {
    let blocks = bytes.div_ceil(4).div_ceil(BLOCK as usize).min(4096);
    let parameters = [start, ptr::without_provenance_mut(bytes)];
    // SAFETY: the bytes of these; the parameters match this kernel.
    unsafe {
        let parameters =
            slice::from_raw_parts(parameters.as_ptr().cast(), size_of_val(&parameters));
        launch(
            call,
            &ZERO,
            [[blocks, 1], [BLOCK as usize, 1]],
            0,
            parameters,
        )
    }
}

/// Kernels stride over what is more than their blocks; without blocks there is nothing to do.
///
/// # Safety
/// The parameters must match the kernel.
pub unsafe fn launch(
    call: &mut Call<'_>,
    kernel: &'static Kernel,
    [blocks, threads]: [[usize; 2]; 2],
    shared: usize,
    parameters: &[MaybeUninit<u8>],
) -> Done {
    let [blocks, threads] = [blocks, threads].map(|[x, y]| [x as u32, y as u32, 1]);
    if blocks[0] == 0 {
        return Ok(());
    }
    let shared = shared as u32;
    // SAFETY: the caller's.
    unsafe {
        call.launch(&c::Launch {
            kernel: kernel.row(),
            blocks,
            threads,
            shared,
            bytes: parameters.len(),
            parameters: parameters.as_ptr().cast(),
        })
    }
}
