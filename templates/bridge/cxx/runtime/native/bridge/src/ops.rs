//! The functions of the package, for C++.

use host::dtype::Element;
use host::{Place, ops};

use crate::bridge::{Array, Stream};
use crate::error::{Result, call};
use crate::vector;

pub fn axpy(a: f64, x: &Array, y: &Array, stream: Stream) -> Result<()> {
    call(|| Ok(ops::axpy(a, &x.to_host(), &y.to_host(), stream.to_host())?))
}

pub fn dot(x: &Array, y: &Array, stream: Stream) -> Result<f64> {
    call(|| Ok(ops::dot(&x.to_host(), &y.to_host(), stream.to_host())?))
}

pub fn assign(x: &Array, y: &Array, stream: Stream) -> Result<()> {
    call(|| Ok(ops::assign(&x.to_host(), &y.to_host(), stream.to_host())?))
}

pub fn address(x: &Array) -> Result<usize> {
    call(|| Ok(ops::address(&x.to_host())?))
}

pub fn axpy_f32(a: f32, x: &[f32], y: &mut [f32]) -> Result<()> {
    call(|| Ok(ops::axpy(a.into(), &read(x), &write(y), None)?))
}

pub fn axpy_f64(a: f64, x: &[f64], y: &mut [f64]) -> Result<()> {
    call(|| Ok(ops::axpy(a, &read(x), &write(y), None)?))
}

pub fn dot_f32(x: &[f32], y: &[f32]) -> Result<f64> {
    call(|| Ok(ops::dot(&read(x), &read(y), None)?))
}

pub fn dot_f64(x: &[f64], y: &[f64]) -> Result<f64> {
    call(|| Ok(ops::dot(&read(x), &read(y), None)?))
}

/// A slice as an array that is only read.
fn read<T: Element>(slice: &[T]) -> host::Array {
    let mut array = host::Array {
        address: slice.as_ptr() as usize,
        dtype: T::DTYPE,
        shape: vec![slice.len()],
        contiguous: true,
        writable: false,
        place: Place::Host,
        ready: None,
    };
    if let Some(block) = vector::block_with(array.range())
        && block.gpu().is_some()
    {
        array.place = Place::Block(block);
    }
    array
}

fn write<T: Element>(slice: &mut [T]) -> host::Array {
    host::Array {
        writable: true,
        ..read(slice)
    }
}
