//! Where layers lie below `templates/`. The only file that knows.

use super::kind::Kind;

/// A layer by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Files of every package.
    Common,
    /// Files that members naming it have in common.
    Base,
    Member(Kind),
}

const COMMON: &str = "common";
const BASE: &str = "base";

/// A file of a layer.
#[derive(Debug, PartialEq, Eq)]
pub struct Located<'a> {
    pub place: Place,
    /// The folder of the layer below `templates/`.
    pub id: &'a str,
    /// The path in it.
    pub file: &'a str,
}

/// Splits `bridge/pyo3/src/lib.rs` into layer and file; a file beside the layers, such as a README, is in none. The error is
/// a folder that is no kind of layer.
pub fn locate(path: &str) -> Result<Option<Located<'_>>, &str> {
    let Some((top, rest)) = path.split_once('/') else {
        return Ok(None);
    };
    let place = match (Kind::from_folder(top), top) {
        (Some(kind), _) => Place::Member(kind),
        (None, BASE) => Place::Base,
        (None, COMMON) => {
            let (place, id, file) = (Place::Common, top, rest);
            return Ok(Some(Located { place, id, file }));
        }
        _ => return Err(top),
    };
    let located = |(name, file): (&str, _)| {
        let id = &path[..top.len() + 1 + name.len()];
        Located { place, id, file }
    };
    Ok(rest.split_once('/').map(located))
}
