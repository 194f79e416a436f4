use crate::prelude::*;

kernel! {
    /// Raise ValueError unless `ok`: a function without arrays.
    require(ok: bool)
    host(_call) {
        if ok { Ok(()) } else { Err(Failure::new(Status::Value, "not ok")) }
    }
}
