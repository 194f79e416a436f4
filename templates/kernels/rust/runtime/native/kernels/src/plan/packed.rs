//! The parameters of a launch.

use core::mem::MaybeUninit;

use super::prepare::MAX_SLOTS;
use super::{Slot, Words};

/// Bytes of all parameters at most.
const MOST: usize = MAX_SLOTS * size_of::<Words>();

/// Where the parameters of a kernel are among their bytes, and how many each one has.
pub fn places(slots: &[Slot]) -> impl Iterator<Item = (usize, usize)> {
    slots.iter().scan(0, |end, slot| {
        let start = (*end + slot.alignment - 1) & !(slot.alignment - 1); // a power of two
        *end = start + slot.bytes;
        Some((start, slot.bytes))
    })
}

/// Parameters as a kernel has them in its memory: one behind the other, each at a multiple of its
/// alignment. The driver copies them at once, which takes less than one by one.
pub struct Packed {
    memory: [MaybeUninit<u8>; MOST],
    bytes: usize,
}

impl Packed {
    pub fn new() -> Self {
        Self {
            memory: [const { MaybeUninit::uninit() }; MOST],
            bytes: 0,
        }
    }

    /// Puts those of all slots.
    pub fn put_all(&mut self, slots: &[Slot], words: &[Words]) {
        for ((start, bytes), words) in places(slots).zip(words) {
            self.put(start, words.first(bytes), bytes);
        }
    }

    /// Puts a parameter of so many bytes behind the others. What its last word has more of is the next
    /// one's.
    pub fn put(&mut self, start: usize, words: &[u64], bytes: usize) {
        let (places, _) = self.memory[start..].as_chunks_mut();
        match (words, &mut *places) {
            // As nearly all are: what follows becomes a call, which takes longer.
            (&[one], [first, ..]) => *first = raw(one),
            (&[one, two], [first, second, ..]) => (*first, *second) = (raw(one), raw(two)),
            _ => {
                for (place, &word) in places.iter_mut().zip(words) {
                    *place = raw(word);
                }
            }
        }
        self.bytes = start + bytes;
    }

    pub fn bytes(&self) -> &[MaybeUninit<u8>] {
        &self.memory[..self.bytes]
    }
}

fn raw(word: u64) -> [MaybeUninit<u8>; 8] {
    word.to_ne_bytes().map(MaybeUninit::new)
}

#[cfg(test)]
mod tests {
    use super::super::Mode;
    use super::*;

    fn slot(bytes: usize, alignment: usize) -> Slot {
        Slot {
            name: "x",
            mode: Mode::read,
            is_index: false,
            size: 4,
            rank: None,
            bytes,
            alignment,
        }
    }

    #[test]
    fn parameters_are_where_c_has_them() {
        let slots = [(1, 1), (2, 2), (8, 4), (24, 8), (4, 4), (16, 8)];
        let slots = slots.map(|(bytes, alignment)| slot(bytes, alignment));
        let starts: std::vec::Vec<_> = places(&slots).map(|(start, _)| start).collect();
        assert_eq!(starts, [0, 2, 4, 16, 40, 48]);
        let mut packed = Packed::new();
        let mut words = [Words::default(); 6];
        for (number, words) in (1..).zip(&mut words) {
            words.set_address((0x0101_0101_0101_0101 * number) as *mut u8);
            words.set_shape(&[0x0101_0101_0101_0101 * number; 2]);
        }
        packed.put_all(&slots, &words);
        assert_eq!(packed.bytes().len(), 64);
        for (number, (start, bytes)) in (1..).zip(places(&slots)) {
            let parameter = &packed.bytes()[start..start + bytes];
            // SAFETY: a parameter, of which every byte was written.
            let its = |byte: &MaybeUninit<u8>| unsafe { byte.assume_init() } == number;
            assert!(parameter.iter().all(its), "parameter {number}");
        }
    }
}
