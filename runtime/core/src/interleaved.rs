//! Arrays that lie between each other's elements, such as two columns of a matrix.

use crate::array::Array;

/// Checks whether no element of one array has a byte of the other because both repeat themselves at
/// one distance, with different bytes of what is between.
pub fn are_apart(x: &Array, y: &Array) -> bool {
    let strides = x.strides.iter().flatten();
    strides.map(|it| it.saturating_abs()).any(|period| {
        let (Some(of_x), Some(of_y)) = (width(x, period), width(y, period)) else {
            return false;
        };
        let apart = (y.address as i128 - x.address as i128).rem_euclid(period as i128);
        apart >= of_x && apart + of_y <= period as i128
    })
}

/// How many bytes from its first one an array has within a period; none if it does not repeat itself so.
fn width(array: &Array, period: isize) -> Option<i128> {
    let mut width = array.dtype.size() as i128;
    for (&size, &stride) in array.shape.iter().zip(array.strides.iter().flatten()) {
        let is_repeated = period > 0 && stride % period == 0;
        match size {
            1 => {}
            _ if is_repeated => {}
            _ if stride < 0 => return None,
            _ => width += (size as i128 - 1) * stride as i128,
        }
    }
    (array.strides.is_some() && width <= period as i128).then_some(width)
}

#[cfg(test)]
mod tests {
    use cuvec_spec::DType;

    use super::*;
    use crate::array::Place;

    fn array(address: usize, shape: &[usize], strides: &[isize]) -> Array {
        Array {
            address,
            dtype: DType::F32,
            shape: shape.into(),
            strides: Some(strides.into()),
            writable: true,
            place: Place::Host,
            ready: None,
        }
    }

    #[test]
    fn parts_of_rows_are_apart() {
        // rows of 16 bytes
        let column = |first: usize, count: usize| array(4096 + 4 * first, &[3, count], &[16, 4]);
        for (x, y, expected) in [
            (column(0, 1), column(1, 3), true),
            (column(2, 2), column(0, 2), true),
            (column(0, 2), column(1, 1), false),
            (column(0, 2), column(0, 2), false),
            (column(0, 2), array(4096 + 8, &[6], &[16]), true),
            (column(0, 2), array(4096 + 8, &[6], &[20]), false),
            (column(2, 1), array(4096, &[3, 2], &[-16, 4]), true),
            (column(1, 1), array(4096, &[3, 2], &[-16, 4]), false),
            (column(0, 1), array(4096 + 12, &[3, 2], &[16, -4]), false),
            (column(0, 2), array(4096 + 14, &[3], &[16]), false),
            (column(0, 1), array(4096, &[3], &[0]), false),
            (column(1, 1), array(4096, &[3, 1], &[16, -4]), true),
        ] {
            assert_eq!(are_apart(&x, &y), expected);
            assert_eq!(are_apart(&y, &x), expected);
        }
        let dense = Array {
            strides: None,
            ..column(3, 1)
        };
        assert!(!are_apart(&column(0, 1), &dense));
    }
}
