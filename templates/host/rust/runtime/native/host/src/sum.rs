//! Sums whose order does not depend on how they came to be.

/// sum(x), added pairwise.
pub fn sum(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [x] => *x,
        _ => {
            let (left, right) = x.split_at(x.len() / 2);
            sum(left) + sum(right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_not_lost_among_many() {
        let numbers = vec![0.1; 1 << 20];
        assert!((sum(&numbers) - 0.1 * (1 << 20) as f64).abs() < 1e-9);
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1.0, 2.0, 4.0]), 7.0);
    }
}
