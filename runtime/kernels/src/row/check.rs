//! Checks of declarations for errors that the Rust compiler does not find by itself.

use core::ops::Range;

use cuvec_spec::c::{MAX_CHOICES, MAX_ITEMS, MAX_NAME};
use cuvec_spec::{Argument, MAX_ARGUMENTS, Role, Type};

use super::{MAX_RANK, same};

/// The arguments, if they can be a declaration's. A method inherits variables, which are before its own.
///
/// # Panics
/// When they cannot: an error of the build.
#[must_use]
pub const fn checked(
    arguments: &'static [Argument],
    variables: Range<usize>,
) -> &'static [Argument] {
    assert!(
        arguments.len() <= MAX_ARGUMENTS,
        "a function has 32 arguments and results at most"
    );
    let (mut defaults, mut choices, mut items, mut index) = (false, 0, 0, 0);
    while index < arguments.len() {
        let argument = &arguments[index];
        assert!(
            argument.name.len() < MAX_NAME,
            "a name has 63 letters at most"
        );
        if argument.chooses.is_none() {
            choices += argument.choices.len();
        }
        items += argument.items;
        assert!(
            items <= MAX_ITEMS,
            "a function has 64 items of tuples at most"
        );
        assert!(
            choices <= MAX_CHOICES && are_short(argument.choices),
            "a function has 32 choices at most, of 63 letters each"
        );
        assert!(
            !same(argument.name, "out") && !same(argument.name, "stream"),
            "`out` and `stream` are arguments that functions have by themselves"
        );
        assert!(
            argument.shape.extents.len() + argument.shape.leading as usize <= MAX_RANK,
            "an array has 8 dimensions at most"
        );
        assert!(
            !argument.at_most || !argument.shape.leading && !argument.shape.extents.is_empty(),
            "`at most` is followed by a size"
        );
        if !is_result(argument) && !argument.keyword_only {
            assert!(
                !defaults || argument.default.is_some(),
                "an argument without a default follows one that has a default"
            );
            defaults = argument.default.is_some();
        }
        assert!(
            !is_result(argument) || !argument.shape.leading || gives_leading(arguments),
            "a result has `...`, and no array that is always given has: there is no shape for it"
        );
        assert!(
            follows_a_result(arguments, index),
            "a result that is saved is behind those that are not, and has a name"
        );
        index += 1;
    }
    let mut variable = 0;
    while variable < variables.end {
        let is_known = variable < variables.start || is_given(arguments, variable);
        match (is_known, choosers(arguments, variable)) {
            (false, 0) if is_of_optional(arguments, variable) => {}
            (false, 0) => panic!(
                "a dtype variable is the dtype of no array that is always given; an optional array decides it if no result has it"
            ),
            (false, 1) | (true, 0) => {}
            _ => panic!("an argument chooses a dtype that an array, or another argument, decides"),
        }
        variable += 1;
    }
    arguments
}

/// Checks whether an array has dimensions behind leading ones.
#[must_use]
pub const fn has_rows(arguments: &[Argument]) -> bool {
    let mut index = 0;
    while index < arguments.len() {
        if arguments[index].shape.has_rows() {
            return true;
        }
        index += 1;
    }
    false
}

const fn are_short(names: &[&str]) -> bool {
    let mut index = 0;
    while index < names.len() && names[index].len() < MAX_NAME {
        index += 1;
    }
    index == names.len()
}

const fn is_result(argument: &Argument) -> bool {
    matches!(argument.role, Role::Result)
}

/// Checks whether an argument is not saved and follows none that is, or else follows a result.
const fn follows_a_result(arguments: &[Argument], index: usize) -> bool {
    if index == 0 {
        return !arguments[0].is_saved;
    }
    let (before, argument) = (&arguments[index - 1], &arguments[index]);
    match argument.is_saved {
        true => is_result(before) && !argument.name.is_empty(),
        false => !before.is_saved,
    }
}

/// Checks whether it is an array that every call has.
const fn is_array(argument: &Argument) -> bool {
    !is_result(argument) && !matches!(argument.role, Role::Scalar) && !argument.is_optional
}

const fn gives_leading(arguments: &[Argument]) -> bool {
    let mut index = 0;
    while index < arguments.len() {
        if is_array(&arguments[index]) && arguments[index].shape.leading {
            return true;
        }
        index += 1;
    }
    false
}

const fn is_given(arguments: &[Argument], variable: usize) -> bool {
    let mut index = 0;
    while index < arguments.len() {
        if let Type::Variable(of_array) = arguments[index].dtype
            && is_array(&arguments[index])
            && of_array == variable
        {
            return true;
        }
        index += 1;
    }
    false
}

/// Checks whether optional arrays have the dtype of a variable, and no result has it.
const fn is_of_optional(arguments: &[Argument], variable: usize) -> bool {
    let (mut found, mut index) = (false, 0);
    while index < arguments.len() {
        let argument = &arguments[index];
        match argument.dtype {
            Type::Variable(of) | Type::Real(of) if of == variable && is_result(argument) => {
                return false;
            }
            Type::Variable(of) if of == variable && argument.is_optional => found = true,
            _ => {}
        }
        index += 1;
    }
    found
}

/// How many arguments choose the dtype of a variable.
const fn choosers(arguments: &[Argument], variable: usize) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < arguments.len() {
        if let Some(chosen) = arguments[index].chooses
            && chosen == variable
        {
            count += 1;
        }
        index += 1;
    }
    count
}
