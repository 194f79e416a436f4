//! Why a call is not made by the native module.

use cuvec_core::Error;

/// Why a call has not been made here.
pub enum Refusal {
    /// It is one for the other handler, which also says what is wrong with arguments.
    Here,
    Done(Error),
}
