//! Shapes and views that are broadcast as NumPy does it.

use crate::array::Array;
use crate::shape;

/// The last dimensions, which are declared.
pub fn own_shape(array: &Array, own: usize) -> &[usize] {
    &array.shape[array.shape.len() - own..]
}

/// As NumPy broadcasts two shapes; none if it does not.
pub fn broadcast_shape(one: &[usize], other: &[usize]) -> Option<Vec<usize>> {
    let (long, short) = match one.len() < other.len() {
        true => (other, one),
        false => (one, other),
    };
    let mut shape = long.to_vec();
    let last = shape.len() - short.len();
    for (size, &other) in shape[last..].iter_mut().zip(short) {
        match (*size, other) {
            (1, _) => *size = other,
            (_, 1) => {}
            (one, other) if one == other => {}
            _ => return None,
        }
    }
    Some(shape)
}

/// The array with strides, in any case.
pub fn strided(array: &Array) -> Array {
    let mut view = array.clone();
    let dense = || shape::strides(&array.shape, array.dtype).into();
    view.strides = Some(view.strides.unwrap_or_else(dense));
    view
}

/// A view whose first dimensions are `leading`, and the last `own` its own; others of one
/// element are left out.
pub fn broadcast(array: &Array, leading: &[usize], own: usize) -> Array {
    let target = [leading, own_shape(array, own)].concat();
    let dense = shape::strides(&array.shape, array.dtype);
    let strides = array.strides.as_deref().unwrap_or(&dense);
    let mut last = array.shape.iter().zip(strides).rev();
    let stride = |&size: &usize| match last.next() {
        Some((&own, &stride)) if own == size => stride,
        _ => 0,
    };
    let mut strides: Box<[isize]> = target.iter().rev().map(stride).collect();
    strides.reverse();
    let is_dense = *strides == *shape::strides(&target, array.dtype);
    Array {
        shape: target[..].into(),
        strides: (!is_dense).then_some(strides),
        ..array.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_broadcast_as_in_numpy() {
        for (one, other, both) in [
            (&[][..], &[][..], Some(vec![])),
            (&[3], &[], Some(vec![3])),
            (&[2, 1], &[4], Some(vec![2, 4])),
            (&[1], &[0], Some(vec![0])),
            (&[2, 3], &[2, 1], Some(vec![2, 3])),
            (&[2], &[3], None),
            (&[0], &[2], None),
        ] {
            assert_eq!(broadcast_shape(one, other), both);
            assert_eq!(broadcast_shape(other, one), both);
        }
    }
}
