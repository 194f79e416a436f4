//! What the runtime itself does with arrays, for C++.

use host::ops;

use crate::bridge::{Array, Stream};
use crate::error::{Result, call};

pub fn assign(x: &Array, y: &Array, stream: Stream) -> Result<()> {
    call(|| Ok(ops::assign(&x.to_host(), &y.to_host(), stream.to_host())?))
}
