//! A few small layers to test the command with, independent of what the real ones hold.

use std::path::{Path, PathBuf};

use crate::project::{Project, write};

const COMMON: &str = "\
name = {{name}}
module = {{module}}
description = {{toml description}}
docstring = {{docstring description}}
authors = [{{authors}}]
python = {{python}} {{python_tag}}
layers = {{license}} {{ci}} {{kernels}} {{host}} {{bridge}}
values = {{launcher}}
{{> recipe}}
";

/// The smallest set: two hosts, a bridge and a kernel kind for each, and kernels for both.
const LAYERS: [(&str, &str); 18] = [
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
        "host/rust/layer.toml",
        "summary = \"Rust host\"\n[values]\nlauncher = \"cudarc\"",
    ),
    (
        "host/rust/Cargo.lock.hbs",
        "version = 4\n\n[[package]]\nname = \"host\"\n\n[[package]]\nname = \"lib-c\"\n",
    ),
    (
        "host/cpp/layer.toml",
        "summary = \"C++ host\"\n[values]\nlauncher = \"runtime\"",
    ),
    (
        "kernels/cu/layer.toml",
        "summary = \"CUDA C++\"\ndefault = true\nhosts = [\"rust\", \"cpp\"]",
    ),
    (
        "kernels/rust/layer.toml",
        "summary = \"Rust kernels\"\nhosts = [\"rust\"]",
    ),
    (
        "bridge/pyo3/layer.toml",
        "summary = \"Rust bridge\"\ndefault = true\nhost = \"rust\"",
    ),
    (
        "bridge/pyo3/partials/recipe.md",
        "edit `src/lib.rs` of {{module}}\n",
    ),
    ("bridge/pyo3/src/lib.rs", "// {{ verbatim }}\n"),
    (
        "bridge/pybind11/layer.toml",
        "summary = \"C++ bridge\"\nhost = \"cpp\"",
    ),
    (
        "bridge/pybind11/partials/recipe.md",
        "edit `src/module.cpp`\n",
    ),
];

/// Writes the layers to a folder, which `--templates` can be pointed at.
pub fn make(folder: &Path) {
    for (path, contents) in LAYERS {
        write(&folder.join(path), contents);
    }
}

impl Project {
    /// Takes the templates from the layers above, in `layers/` of its root.
    pub fn with_layers(self) -> Self {
        let folder = self.layers();
        make(&folder);
        self.arg("--templates").arg(folder)
    }

    /// Adds or replaces a file in them.
    pub fn layer(self, path: &str, contents: &str) -> Self {
        write(&self.layers().join(path), contents);
        self
    }

    fn layers(&self) -> PathBuf {
        self.path("layers")
    }
}
