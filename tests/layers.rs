//! A few small layers to test the command with, independent of what the real ones hold.

use std::fs;
use std::path::{Path, PathBuf};

use crate::project::{Project, write};

const COMMON: &str = "\
name = {{name}}
module = {{module}}
description = {{toml description}}
docstring = {{docstring description}}
authors = [{{authors}}]
python = {{python}} {{python_tag}}
layers = {{license}} {{ci}} {{kernels}} {{bridge}}
values = {{compiler}}
{{> recipe}}
";

/// The smallest set with a choice.
const LAYERS: [(&str, &str); 21] = [
    ("README.md", "for authors of templates"),
    ("common/layer.toml", "summary = \"what all have\""),
    ("common/about.txt.hbs", COMMON),
    (
        "common/python/{{module}}/__init__.py",
        "\"\"\"{{not rendered}}\"\"\"\n",
    ),
    (
        "license/MIT/layer.toml",
        "summary = \"short\"\ndefault = true",
    ),
    ("license/MIT/LICENSE.hbs", "Copyright {{year}} {{author}}\n"),
    ("license/0BSD/layer.toml", "summary = \"shorter\""),
    (
        "ci/none/layer.toml",
        "summary = \"nothing\"\ndefault = true",
    ),
    (
        "docs/none/layer.toml",
        "summary = \"no pages\"\ndefault = true",
    ),
    (
        "container/none/layer.toml",
        "summary = \"no container\"\ndefault = true",
    ),
    (
        "agents/none/layer.toml",
        "summary = \"no instructions\"\ndefault = true",
    ),
    (
        "cuda/13/layer.toml",
        "summary = \"CUDA 13\"\ndefault = true",
    ),
    (
        BUNDLED,
        "summary = \"an archive\"\ndefault = true\naliases = [\"vendored\"]",
    ),
    (
        "kernels/cu/layer.toml",
        "summary = \"CUDA C++\"\ndefault = true\n[values]\ncompiler = \"nvcc\"",
    ),
    (
        "kernels/rust/layer.toml",
        "summary = \"Rust kernels\"\n[values]\ncompiler = \"rustc\"",
    ),
    (
        "bridge/pyo3/layer.toml",
        "summary = \"Rust bindings\"\ndefault = true",
    ),
    (
        "bridge/pyo3/Cargo.lock.hbs",
        "version = 4\n\n[[package]]\nname = \"ext\"\n\n[[package]]\nname = \"lib-c\"\n",
    ),
    (
        "bridge/pyo3/partials/recipe.md",
        "edit `src/lib.rs` of {{module}}\n",
    ),
    ("bridge/pyo3/src/lib.rs", "// {{ verbatim }}\n"),
    ("bridge/pybind11/layer.toml", "summary = \"C++ bindings\""),
    (
        "bridge/pybind11/partials/recipe.md",
        "edit `src/module.cpp`\n",
    ),
];

const BUNDLED: &str = "runtime/bundled/layer.toml";

/// Writes the layers to a folder, which `--templates` can be pointed at, and beside it a runtime without files.
pub fn make(folder: &Path) {
    fs::create_dir_all(folder.with_file_name("runtime")).unwrap();
    for (path, contents) in LAYERS {
        write(&folder.join(path), contents);
    }
}

impl Project {
    /// Takes the templates from the layers above, in `layers/templates/` of its root.
    pub fn with_layers(self) -> Self {
        let folder = self.layers();
        make(&folder);
        self.arg("--templates").arg(folder)
    }

    /// Adds or replaces a file in the runtime beside them, which packages carry then.
    pub fn runtime(self, path: &str, contents: &str) -> Self {
        write(&self.path("layers/runtime").join(path), contents);
        self.bundled()
    }

    /// Has packages carry the runtime.
    pub fn bundled(self) -> Self {
        let layer = LAYERS.iter().find(|(path, _)| *path == BUNDLED).unwrap().1;
        self.layer(BUNDLED, &format!("{layer}\nbundled = true"))
    }

    /// Adds or replaces a file in them.
    pub fn layer(self, path: &str, contents: &str) -> Self {
        write(&self.layers().join(path), contents);
        self
    }

    fn layers(&self) -> PathBuf {
        self.path("layers/templates")
    }
}
