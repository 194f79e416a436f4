use crate::prelude::*;

kernel! {
    /// Return for each row of 32 the sum of the products of its pairs, by lanes that exchange what they have.
    pair_products(x: &i32[m, 32]) -> y: i32[m]
    each y[i] by warp {
        let mut product = warp.own(|lane| x[[i, lane]]);
        product.exchange(warp, |lane| lane ^ 1, |mine, other| mine * other);
        product.update(warp, |lane, product| if lane % 2 == 0 { product } else { 0 });
        product.reduce(warp, |a, b| a + b)
    }
}
