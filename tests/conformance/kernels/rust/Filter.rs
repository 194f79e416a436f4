use crate::prelude::*;

class! {
    /// Weighted sums of `k` neighbours, of arrays of `n` elements.
    ///
    /// ValueError without weights.
    Filter(weights: &f32[k], n: usize, *, scale: f32 = 1, mode: {plain, scaled} = plain)
    state kept: f32[k], sum: f32[n], calls: i64[];
    where k > 0 => "a filter needs weights";
    each kept[i] { if mode == mode::scaled { scale * weights[i] } else { weights[i] } }

    /// The weighted sums.
    fn apply<T: f32 | f64>(x: &T[n]) -> y: T[n - k + 1]
    each y[i] { (0..k).fold(T::ZERO, |sum, j| sum + T::of(f64::from(kept[j])) * x[i + j]) }

    /// Add the elements to what there is.
    fn add(x: &f32[n])
    each sum[i] { sum + x[i] }
    each calls[] { calls + 1 }

    /// Return the sums of all that was added.
    fn total() -> _y: f32[n]
    each _y[i] { sum[i] }

    /// How often it was.
    fn calls_of_add() -> _count: i64
    each _count[] { calls[[]] }

    /// The first and the last of what there is.
    fn ends() -> (first: f32, last: f32)
    each first[] { sum[0] }
    each last[] { sum[n - 1] }

    /// Raise.
    fn fail(why: i64)
    host(_call) { Err(Failure::new(Status::Value, std::format!("{why}"))) }

    /// Count a call, slowly: another thread's would be lost.
    fn sleep(seconds: f64)
    host(_call) {
        std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
        Ok(())
    }
    each calls[] { calls + 1 }
}
