//! The modules of the crate of the kernels. Of its build script this decides what PTX is, so it is hashed.

use std::path::Path;

/// Declares the files as modules, in this order.
pub fn modules(folder: &Path, names: &[String]) -> String {
    let module = |name: &String| {
        let path = folder.join(format!("{name}.rs"));
        format!("#[path = {path:?}]\npub mod {name};\n")
    };
    names.iter().map(module).collect()
}
