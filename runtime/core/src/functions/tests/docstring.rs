//! Documentation of what a function does not have, which is refused at its place.

use super::*;
use crate::error::Kind;
use crate::functions::docstring::read;

#[test]
fn a_line_for_no_argument_is_shown() {
    const X: &[Argument] = &[Argument::input("x", T, shape(&[N]))];
    let spec = function(X, None).spec;
    let doc = "Größe.\n\n    x: it\n    sample: volts\n";
    let error = read(&Spec { doc, ..spec }).unwrap_err();
    let text = "kernels/f.rs: in the documentation of `f`, `sample` is no argument or result; those are \
                `x`\n        sample: volts\n        ^";
    assert_eq!(error, Kind::Unavailable(text.to_owned()).into(), "{error}");
}
