//! The parameters that all kernels of a function have.

use core::mem::MaybeUninit;
use core::slice;

use super::{Mode, Slot};
use crate::row::Value;

/// Parameters of a function at most: of a declaration, and scratch memory.
const MAX_SLOTS: usize = 40;

/// Bytes of all of them at most, as every GPU takes them.
pub const MAX_BYTES: usize = 4096;

/// Says where each slot is among the parameters.
#[must_use]
pub const fn placed<const N: usize>(mut slots: [Slot; N]) -> [Slot; N] {
    assert!(
        N <= MAX_SLOTS,
        "a function has 40 arguments, results and scratch arrays at most"
    );
    let (mut end, mut index) = (0_usize, 0);
    while index < N {
        let slot = &mut slots[index];
        slot.start = end.next_multiple_of(slot.alignment);
        end = slot.start + slot.bytes;
        index += 1;
    }
    assert!(
        end <= MAX_BYTES,
        "the arguments of a function take too many bytes"
    );
    slots
}

/// Where the last parameter ends.
pub const fn end_of(slots: &[Slot]) -> usize {
    match slots {
        [.., last] => last.start + last.bytes,
        [] => 0,
    }
}

/// Memory for parameters, aligned for each of them.
#[repr(align(16))]
pub struct Storage([MaybeUninit<u8>; MAX_BYTES]);

impl Storage {
    pub fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; MAX_BYTES])
    }
}

/// Parameters as a kernel has them in its memory: one behind the other, each at a multiple of its
/// alignment. An array is what [`View`](crate::grid::View) has: an address and its extents.
///
/// The driver copies them at once, which takes less than one by one.
pub struct Parameters<'a> {
    slots: &'static [Slot],
    memory: &'a mut [MaybeUninit<u8>; MAX_BYTES],
}

impl<'a> Parameters<'a> {
    /// Parameters for these slots, which are still to be put.
    pub fn new(slots: &'static [Slot], storage: &'a mut Storage) -> Self {
        Self {
            slots,
            memory: &mut storage.0,
        }
    }

    pub fn bytes(&self) -> &[MaybeUninit<u8>] {
        &self.memory[..end_of(self.slots)]
    }

    /// The same in other memory.
    pub fn copied<'b>(&self, storage: &'b mut Storage) -> Parameters<'b> {
        let bytes = self.bytes();
        storage.0[..bytes.len()].copy_from_slice(bytes);
        Parameters::new(self.slots, storage)
    }

    /// Puts the number or the array of a slot.
    ///
    /// # Safety
    /// The slot must be one of these, and the value be what it declares.
    pub unsafe fn put(&mut self, slot: &Slot, value: &Value) {
        // SAFETY: the slot's part of the memory; the rest is the caller's.
        unsafe {
            let place = self.memory.as_mut_ptr().add(slot.start);
            if slot.mode == Mode::scalar {
                copy(value.data.cast(), place, slot.size);
                return;
            }
            place.cast::<*mut u8>().write(value.data.cast());
            let extents = place.cast::<usize>().add(1);
            if slot.mode == Mode::found {
                extents
                    .add(slot.axes())
                    .cast::<*mut i64>()
                    .write(value.count);
            }
            match slot.rank {
                Some(0) => (),
                None | Some(1) => extents.write(value.size as usize),
                Some(rank) if value.data.is_null() && slot.mode.may_be_none() => {
                    extents.write_bytes(0, rank.into());
                }
                Some(rank) => value
                    .shape
                    .cast::<usize>() // none is negative
                    .copy_to_nonoverlapping(extents, rank.into()),
            }
            if slot.has_strides {
                let strides = extents.add(slot.axes()).cast::<i64>();
                value.strides.copy_to_nonoverlapping(strides, slot.axes());
            }
        }
    }

    /// Puts the number of passes that are repeated.
    pub fn set_counter(&mut self, slot: usize, number: usize) {
        let slot = &self.slots[slot];
        assert!(slot.mode == Mode::counter, "{} does not count", slot.name);
        // SAFETY: the slot's part of the memory.
        unsafe {
            let place = self.memory.as_mut_ptr().add(slot.start);
            place.cast::<usize>().write(number);
        }
    }

    /// Puts the address of an array.
    ///
    /// # Safety
    /// Its memory must be there.
    pub unsafe fn set_address(&mut self, slot: usize, address: *mut u8) {
        let place = self.place_of(slot);
        // SAFETY: the array's part of the memory.
        unsafe {
            self.memory[place..]
                .as_mut_ptr()
                .cast::<*mut u8>()
                .write(address)
        };
    }

    /// Puts the extents of an array.
    pub fn set_shape(&mut self, slot: usize, shape: &[usize]) {
        let extents = self.place_of(slot) + size_of::<usize>();
        for (axis, &extent) in shape.iter().enumerate().take(self.slots[slot].axes()) {
            let place = &mut self.memory[extents + axis * size_of::<usize>()..];
            // SAFETY: the array's part of the memory.
            unsafe { place.as_mut_ptr().cast::<usize>().write(extent) };
        }
    }

    /// # Safety
    /// The address of this array must have been put.
    pub unsafe fn address(&self, slot: usize) -> *mut u8 {
        let place = self.place_of(slot);
        // SAFETY: the caller's.
        unsafe { self.memory[place..].as_ptr().cast::<*mut u8>().read() }
    }

    /// Bytes of an array; none if no memory can have so many.
    ///
    /// # Safety
    /// The extents of this array must have been put.
    pub unsafe fn bytes_of(&self, slot: usize) -> Option<usize> {
        // SAFETY: the caller's.
        unsafe { self.shape(slot) }
            .iter()
            .try_fold(self.slots[slot].size, |bytes, &extent: &usize| {
                bytes.checked_mul(extent)
            })
            .filter(|&bytes| isize::try_from(bytes).is_ok())
    }

    /// The extents of an array.
    ///
    /// # Safety
    /// They must have been put.
    pub unsafe fn shape(&self, slot: usize) -> &[usize] {
        let extents = &self.memory[self.place_of(slot) + size_of::<usize>()..];
        // SAFETY: the caller's.
        unsafe { slice::from_raw_parts(extents.as_ptr().cast(), self.slots[slot].axes()) }
    }

    /// Reads them, one after the other.
    #[inline(always)]
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            memory: self.memory,
            end: 0,
        }
    }

    /// Where an array is among them.
    fn place_of(&self, array: usize) -> usize {
        let slot = &self.slots[array];
        assert!(slot.mode != Mode::scalar, "{} is no array", slot.name);
        slot.start
    }
}

/// Reads parameters by their types: where each one is, the compiler knows.
pub struct Reader<'a> {
    memory: &'a [MaybeUninit<u8>; MAX_BYTES],
    end: usize,
}

impl Reader<'_> {
    /// The next one.
    ///
    /// # Safety
    /// It must be of this type, and must have been put.
    #[inline(always)]
    pub unsafe fn next<T: Copy>(&mut self) -> T {
        let start = self.end.next_multiple_of(align_of::<T>());
        self.end = start + size_of::<T>();
        // SAFETY: the caller's.
        unsafe { self.memory.as_ptr().add(start).cast::<T>().read() }
    }
}

/// Copies a number.
///
/// # Safety
/// As for `copy_to_nonoverlapping`.
unsafe fn copy(from: *const MaybeUninit<u8>, to: *mut MaybeUninit<u8>, size: usize) {
    // SAFETY: the caller's.
    unsafe {
        match size {
            // As nearly all have: what follows becomes a call, which takes longer.
            4 => to
                .cast::<[MaybeUninit<u8>; 4]>()
                .write(from.cast::<[MaybeUninit<u8>; 4]>().read()),
            8 => to
                .cast::<[MaybeUninit<u8>; 8]>()
                .write(from.cast::<[MaybeUninit<u8>; 8]>().read()),
            _ => from.copy_to_nonoverlapping(to, size),
        }
    }
}

#[cfg(test)]
mod tests {
    use core::ptr;

    use super::*;
    use crate::grid::{View, complex128};

    const fn slot<T>(mode: Mode, rank: Option<u8>, size: usize) -> Slot {
        Slot {
            name: "x",
            mode,
            has_strides: mode.has_strides(),
            is_index: false,
            size,
            rank,
            start: 0,
            bytes: size_of::<T>(),
            alignment: align_of::<T>(),
        }
    }

    const fn number<T>() -> Slot {
        slot::<T>(Mode::scalar, Some(0), size_of::<T>())
    }

    static SLOTS: [Slot; 7] = placed([
        number::<bool>(),
        number::<i16>(),
        number::<f32>(),
        slot::<View<'_, f64, 2>>(Mode::read, Some(2), 8),
        number::<u8>(),
        number::<complex128>(),
        slot::<View<'_, f32, 1>>(Mode::scratch, None, 4),
    ]);

    #[test]
    fn parameters_are_where_c_has_them() {
        let starts: std::vec::Vec<_> = SLOTS.iter().map(|slot| slot.start).collect();
        assert_eq!(starts, [0, 2, 4, 8, 32, 48, 64]);
        let elements = [0.5; 6];
        let (flag, short, real, byte) = (true, -2_i16, 1.5_f32, 7_u8);
        let complex = complex128::new(1.0, -2.0);
        fn value<T>(data: &T) -> Value {
            Value {
                data: ptr::from_ref(data).cast_mut().cast(),
                shape: [2, 3].as_ptr(),
                strides: ptr::null(),
                size: 6,
                count: ptr::null_mut(),
            }
        }
        let given = [
            value(&flag),
            value(&short),
            value(&real),
            value(&elements),
            value(&byte),
            value(&complex),
        ];
        let mut storage = Storage::new();
        let mut parameters = Parameters::new(&SLOTS, &mut storage);
        for (slot, value) in SLOTS.iter().zip(&given) {
            // SAFETY: the values are what the slots declare.
            unsafe { parameters.put(slot, value) };
        }
        // SAFETY: nobody reads the array.
        unsafe { parameters.set_address(6, ptr::null_mut()) };
        parameters.set_shape(6, &[10]);
        assert_eq!(parameters.bytes().len(), 80);
        let mut reader = parameters.reader();
        // SAFETY: as they were put.
        unsafe {
            assert!(reader.next::<bool>());
            assert_eq!(reader.next::<i16>(), -2);
            assert_eq!(reader.next::<f32>(), 1.5);
            let array = reader.next::<View<'_, f64, 2>>();
            assert_eq!((array.shape(), array[[1, 2]]), ([2, 3], 0.5));
            assert_eq!(reader.next::<u8>(), 7);
            assert_eq!(reader.next::<complex128>(), complex);
            assert_eq!(reader.next::<View<'_, f32, 1>>().shape(), [10]);
            assert_eq!(
                (parameters.bytes_of(3), parameters.bytes_of(6)),
                (Some(48), Some(40))
            );
        }
    }

    #[test]
    fn too_many_bytes_are_none() {
        let mut storage = Storage::new();
        let mut parameters = Parameters::new(&SLOTS, &mut storage);
        parameters.set_shape(3, &[usize::MAX / 8, 2]);
        // SAFETY: the extents are there.
        assert_eq!(unsafe { parameters.bytes_of(3) }, None);
    }
}
