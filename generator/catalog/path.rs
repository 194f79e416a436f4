//! Where layers lie below `templates/`. The only file that knows.

use super::kind::Kind;

/// A layer by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place<'a> {
    /// Files of every package.
    Common,
    /// Files that members naming it have in common.
    Base,
    Member(Kind, &'a str),
}

const COMMON: &str = "common";
const BASE: &str = "base";

/// A file of a layer, or one beside them (a README), which is in none.
#[derive(Debug, PartialEq, Eq)]
pub enum Located<'a> {
    In {
        place: Place<'a>,
        /// The folder of the layer below `templates/`.
        id: &'a str,
        /// The path in it.
        file: &'a str,
    },
    Beside,
    /// This folder is no kind of layer.
    Unknown(&'a str),
}

/// Splits `bridge/pyo3/src/lib.rs` into layer and file.
pub fn locate(path: &str) -> Located<'_> {
    let Some((top, rest)) = path.split_once('/') else {
        return Located::Beside;
    };
    if top == COMMON {
        return Located::In {
            place: Place::Common,
            id: top,
            file: rest,
        };
    }
    let kind = Kind::from_folder(top);
    if kind.is_none() && top != BASE {
        return Located::Unknown(top);
    }
    let Some((name, file)) = rest.split_once('/') else {
        return Located::Beside;
    };
    Located::In {
        place: kind.map_or(Place::Base, |kind| Place::Member(kind, name)),
        id: &path[..top.len() + 1 + name.len()],
        file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_and_what_lies_beside_them() {
        let located = |place, id, file| Located::In { place, id, file };
        let cases = [
            ("common/a/b", located(Place::Common, "common", "a/b")),
            (
                "bridge/pyo3/src/lib.rs",
                located(
                    Place::Member(Kind::Bridge, "pyo3"),
                    "bridge/pyo3",
                    "src/lib.rs",
                ),
            ),
            (
                "base/cpp/src/a.h",
                located(Place::Base, "base/cpp", "src/a.h"),
            ),
            ("README.md", Located::Beside),
            ("bridge/README.md", Located::Beside),
            ("brigde/pyo3/a", Located::Unknown("brigde")),
        ];
        for (path, expected) in cases {
            assert_eq!(locate(path), expected, "{path}");
        }
    }
}
