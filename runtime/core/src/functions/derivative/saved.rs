//! Results that are saved for a derivative: it uses each of them, as a constant.

use cuvec_spec::{Spec, derivative};

use super::{Checked, Source, Step, fault};

/// The function of a step calculates no gradient of what was saved: nothing could take it.
///
/// `places` is where the arguments are in the text.
pub fn check(spec: &Spec, step: &Step, places: &[usize]) -> Checked<()> {
    let function = &step.function;
    // A fault in it is told where it is declared.
    let next = derivative::read(function.derivative).unwrap_or_default();
    let gradients: Vec<_> = next.iter().flat_map(|it| &it.gradients).collect();
    for (&(parameter, source), &place) in step.arguments.iter().zip(places) {
        let parameter = function.arguments[parameter].name;
        let is_its = |name: &str| name.strip_prefix('d') == Some(parameter);
        if let Source::Value(index) = source
            && spec.arguments[index].is_saved
            && gradients.iter().any(|it| is_its(it.0))
        {
            let (name, of) = (spec.arguments[index].name, function.name);
            return fault(
                place,
                format!(
                    "`{name}` is saved, so that its gradient would be lost, which the derivative of `{of}` \
                     calculates; make it a part of the gradients of the arguments"
                ),
            );
        }
    }
    Ok(())
}

/// Every saved result is used.
pub fn check_all(spec: &Spec, steps: &[Step]) -> Checked<()> {
    let first = spec.arguments.len() - spec.saved().len();
    let is_used = |index: usize| {
        let mut passed = steps.iter().flat_map(|it| &it.arguments);
        passed.any(|(_, source)| *source == Source::Value(index))
    };
    match (first..spec.arguments.len()).find(|index| !is_used(*index)) {
        Some(index) => fault(
            0,
            format!(
                "`{}` is saved and not used; pass it, or do not save it",
                spec.arguments[index].name
            ),
        ),
        None => Ok(()),
    }
}
