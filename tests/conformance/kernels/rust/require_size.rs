use crate::prelude::*;

kernel! {
    /// Raise ValueError if `x` has fewer elements than `least`.
    require_size(x: &u8[n], least: i64)
    host(_call) {
        match n as i64 >= least {
            true => Ok(()),
            false => Err(Failure::new(Status::Value, std::format!("{n} elements"))),
        }
    }
}
