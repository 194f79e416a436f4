//! How a test compares results with what NumPy calculates.

use super::declaration::{Declaration, Type, Written};
use super::dtype::DType;
use super::layout::Python;
use super::sizes::dtype_of;

/// The lines that compare a result, or one of several; integers are the same, other numbers nearly so.
pub fn lines(
    d: &Declaration,
    written: &[Written<'_>],
    got: &str,
    wanted: &str,
    rtol: &str,
) -> Vec<String> {
    let has_whole = |it: &Written| d.dtypes_of(it.dtype).iter().any(|it| !it.is_inexact());
    let exactly = format!("np.testing.assert_array_equal({got}, {wanted})");
    // Absolutely, too: where terms cancel, what is left of their errors is large compared with the result.
    let nearly = format!("np.testing.assert_allclose({got}, {wanted}, rtol={rtol}, atol={rtol})");
    let lines = match () {
        () if is_compared_exactly(d, written) => vec![exactly],
        () if written.iter().any(has_whole) && !is_of_one_dtype(written) => vec![
            format!("if np.asarray({wanted}).dtype.kind in \"biu\":"),
            format!("    {exactly}"),
            "else:".to_owned(),
            format!("    {nearly}"),
        ],
        () => vec![nearly],
    };
    if !written.iter().any(Written::may_be_none) {
        return lines;
    }
    let lines = lines.iter().map(|it| format!("    {it}"));
    [format!("if {got} is not None:")]
        .into_iter()
        .chain(lines)
        .collect()
}

fn is_compared_exactly(d: &Declaration, written: &[Written<'_>]) -> bool {
    let is_struct = |it: &Written| d.structure(it.dtype).is_some();
    let is_whole = |it: &Written| !d.dtypes_of(it.dtype).iter().any(|it| it.is_inexact());
    written.iter().any(is_struct) || written.iter().all(is_whole)
}

/// Checks whether all results have the same dtype, which may depend on the call.
fn is_of_one_dtype(written: &[Written<'_>]) -> bool {
    written.iter().all(|it| it.dtype == written[0].dtype)
}

/// Returns the tolerance of results, and a line before it if that depends on the dtype.
pub fn tolerance(d: &Declaration, written: &[Written<'_>]) -> (Option<String>, &'static str) {
    if is_compared_exactly(d, written) {
        return (None, DType::TOLERANCE);
    }
    // Of several dtypes the one of a result is asked for where it is compared.
    let is_one = is_of_one_dtype(written);
    let is_coarse = |it: &DType| match it.is_inexact() {
        true => it.tolerance() != DType::TOLERANCE,
        false => is_one,
    };
    let coarse = written.iter().find_map(|it| match it.dtype {
        Type::Struct(_) => None,
        Type::Fixed(dtype) => is_coarse(&dtype).then_some((dtype.tolerance(), None)),
        Type::Variable(number) | Type::Real(number) => {
            let dtypes = d.variables[number].dtypes.iter().filter(|it| is_coarse(it));
            let entries: Vec<_> = dtypes
                .map(|it| format!("\"{}\": {}", it.numpy(), it.tolerance()))
                .collect();
            (!entries.is_empty()).then_some(("rtol", Some((number, entries))))
        }
    });
    match coarse {
        None => (None, DType::TOLERANCE),
        Some((rtol, None)) => (None, rtol),
        Some((rtol, Some((number, entries)))) => {
            let end = format!(".get({}, {})", dtype_of(d, number), DType::TOLERANCE);
            let table = Python::atoms("{", entries, "}").laid_out(4, "rtol = ", &end);
            (Some(table), rtol)
        }
    }
}
