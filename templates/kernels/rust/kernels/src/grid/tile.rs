//! Tiles of a matrix, in memory that all threads of the block share.

use core::array;
use core::marker::PhantomData;

use super::{Element, Input, Output, panic, target};

/// Rows and columns of a tile that are written. Those at their sides are only read.
const TILE: u32 = 32;

/// Rows and columns at each side of a tile, at most.
const MAX_HALO: u32 = 4;

/// Elements that a thread loads before it stores the first of them.
const IN_FLIGHT: usize = 5;

/// Bytes of a tile of the widest elements.
pub const BYTES: usize = ((TILE + 2 * MAX_HALO) * (TILE + 2 * MAX_HALO) * 8) as usize;

/// Elements around one element of a matrix, up to `HALO` rows and columns away.
pub struct Near<'a, T, const HALO: u32> {
    tile: target::Tile,
    /// Index of the element itself, in the tile.
    center: u32,
    elements: PhantomData<&'a [T]>,
}

impl<T: Element, const HALO: u32> Near<'_, T, HALO> {
    /// The element so many rows below and so many columns to the right; negative numbers are
    /// above and to the left. Beyond an edge of the matrix is what is at the edge.
    ///
    /// Stops the kernel where a distance is more than `HALO`.
    #[inline(always)]
    #[track_caller]
    pub fn at(&self, rows: isize, columns: isize) -> T {
        for distance in [rows, columns] {
            panic::check_index(distance.unsigned_abs(), HALO as usize + 1);
        }
        let (rows, columns) = (rows as i32, columns as i32);
        let offset = rows * Tile::<T, HALO>::SIDE as i32 + columns;
        // SAFETY: inside of the tile, which nobody writes while this is borrowed.
        unsafe { self.tile.load(self.center.wrapping_add_signed(offset)) }
    }
}

/// A matrix, by rows.
#[derive(Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
}

/// A tile with the elements around it.
struct Tile<T, const HALO: u32> {
    memory: target::Tile,
    elements: PhantomData<T>,
}

impl<T: Element, const HALO: u32> Tile<T, HALO> {
    /// Elements of a row, with those at both sides.
    const SIDE: u32 = TILE + 2 * HALO;

    const ELEMENTS: u32 = Self::SIDE * Self::SIDE;

    /// Copies a tile of `x`; each of the threads has its share.
    #[inline(always)]
    fn fill(&self, x: Input<T>, shape: Matrix, top: usize, left: usize, place: target::Place) {
        let inside = |start: usize, distance: u32, count: usize| {
            let index = (start + distance as usize).saturating_sub(HALO as usize);
            index.min(count - 1)
        };
        let load = |index: u32| {
            let row = inside(top, index / Self::SIDE, shape.rows);
            let column = inside(left, index % Self::SIDE, shape.columns);
            // SAFETY: inside of the matrix.
            unsafe { x.start.add(row * shape.columns + column).read() }
        };
        let (mut index, step) = (place.thread_of_block(), place.threads_of_block());
        while index < Self::ELEMENTS {
            let values: [T; IN_FLIGHT] = array::from_fn(|k| load(index + k as u32 * step));
            for value in values {
                if index < Self::ELEMENTS {
                    // SAFETY: inside of the tile, and no other thread has this index.
                    unsafe { self.memory.store(index, value) };
                }
                index += step;
            }
        }
    }

    /// Calls `f` for this thread's share of the elements of `y` that the tile covers.
    #[inline(always)]
    fn visit(
        &self,
        y: &Output<T>,
        shape: Matrix,
        top: usize,
        left: usize,
        place: target::Place,
        f: impl Fn(Near<T, HALO>, &mut T),
    ) {
        let mut index = place.thread_of_block();
        while index < TILE * TILE {
            let (down, right) = (index / TILE, index % TILE);
            let (row, column) = (top + down as usize, left + right as usize);
            if row < shape.rows && column < shape.columns {
                let center = (down + HALO) * Self::SIDE + right + HALO;
                // SAFETY: inside of `y`, and no other thread has this element.
                let y = unsafe { &mut *y.start.add(row * shape.columns + column) };
                let near = Near {
                    tile: self.memory,
                    center,
                    elements: PhantomData,
                };
                f(near, y);
            }
            index += place.threads_of_block();
        }
    }
}

/// See [`Grid::for_each_near`](super::Grid::for_each_near).
#[inline(always)]
#[track_caller]
pub fn for_each_near<T: Element, const HALO: u32>(
    place: target::Place,
    x: Input<T>,
    y: Output<T>,
    columns: usize,
    f: impl Fn(Near<T, HALO>, &mut T),
) {
    const { assert!(HALO <= MAX_HALO, "a tile has at most 4 rows at each side") };
    panic::check_lengths(x.len(), y.len());
    if y.is_empty() {
        return;
    }
    panic::check_index(0, columns);
    let shape = Matrix {
        rows: y.len() / columns,
        columns,
    };
    panic::check_lengths(shape.rows * columns, y.len());

    let side = TILE as usize;
    let across = columns.div_ceil(side);
    let tiles = across * shape.rows.div_ceil(side);
    place.with_tile(|memory| {
        let tile = Tile::<T, HALO> {
            memory,
            elements: PhantomData,
        };
        let mut index = place.block();
        while index < tiles {
            let (top, left) = (index / across * side, index % across * side);
            place.wait_for_block(); // the tile before has been read
            tile.fill(x, shape, top, left, place);
            place.wait_for_block();
            tile.visit(&y, shape, top, left, place, &f);
            index += place.blocks();
        }
    });
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::grid::{blocks, kernel};

    kernel! {
        fn corners(grid, x: Input<f64>[n], y: Output<f64>[n], columns: usize, n: usize) {
            grid.for_each_near(x, y, columns, |near: Near<f64, 4>, y| {
                *y = near.at(-4, -4) + 3.0 * near.at(-4, 4) + 5.0 * near.at(4, -3) + 7.0 * near.at(0, 0);
            });
        }
    }

    #[test]
    fn tiles_cover_matrices_of_every_shape() {
        for (rows, columns) in [(1, 1), (1, 70), (31, 33), (32, 32), (65, 3), (100, 97)] {
            let n = rows * columns;
            let x: Vec<f64> = (0..n).map(|i| (i * i % 101) as f64).collect();
            let mut y = vec![0.0; n];
            corners(blocks(n), &x, &mut y, columns, n);
            let at = |row: usize, column: usize, down: isize, right: isize| {
                let row = row.saturating_add_signed(down).min(rows - 1);
                let column = column.saturating_add_signed(right).min(columns - 1);
                x[row * columns + column]
            };
            for (i, &y) in y.iter().enumerate() {
                let near = |down, right| at(i / columns, i % columns, down, right);
                let expected =
                    near(-4, -4) + 3.0 * near(-4, 4) + 5.0 * near(4, -3) + 7.0 * near(0, 0);
                assert_eq!(y, expected, "{i} of {rows} x {columns}");
            }
        }
    }
}
