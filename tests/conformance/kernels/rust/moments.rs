use crate::prelude::*;

kernel! {
    /// Return the mean and the variance of the elements.
    moments<T: f32 | f64>(x: &T[...]) -> (mean: f64, variance: f64)
    fold (x) {
        start: Moments::default(),
        add: |all, x| all.and(Moments { count: 1.0, mean: x.into(), squares: 0.0 }),
        merge: Moments::and,
        value: |all| (all.mean, all.squares / all.count),
    }
}

/// How many numbers, their mean, and the sum of the squares of what they differ from it.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances" (1979).
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        let (count, apart) = (self.count + other.count, other.mean - self.mean);
        if count == 0.0 {
            return self;
        }
        Self {
            count,
            mean: self.mean + apart * (other.count / count),
            squares: self.squares
                + other.squares
                + apart * apart * (self.count * other.count / count),
        }
    }
}

impl Shuffle for Moments {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        let Self {
            count,
            mean,
            squares,
        } = self;
        Self {
            count: count.shuffle(how),
            mean: mean.shuffle(how),
            squares: squares.shuffle(how),
        }
    }
}
