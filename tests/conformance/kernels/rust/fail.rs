use crate::prelude::*;

kernel! {
    /// End in a failure, on the thread of the call or on several.
    fail(how: i32, y: &mut i32[...], *, threads: bool = false)
    host(call) {
        let fail = |_| match how {
            0 => Ok(()),
            1 => Err(Failure::new(Status::Value, "a wrong value")),
            2 => Err(Failure::new(Status::Memory, "too little memory")),
            3 => Err(Failure::new(Status::Runtime, "it went wrong")),
            _ => panic!("{how}"),
        };
        if threads { call.parallel(1000, fail) } else { fail(0) }
    }
}
