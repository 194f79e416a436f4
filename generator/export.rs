//! `cuvec-new export`: the templates in the form that `cargo generate` reads, a folder for each bridge and kernel kind.
//!
//! Bridge and kernels decide about most files, so they are folders; licence and CI are choices inside of one. What goes
//! into a template is what the generator itself renders, with placeholders for the answers.

mod config;
mod liquid;
mod lock;
mod placeholders;
mod template;

use std::borrow::Cow;
use std::path::Path;

use crate::catalog::Catalog;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::layer::Layer;
use crate::name::Name;
use crate::plan::Plan;
use crate::render::{Rendered, render_with};
use crate::write::write;
use template::{Template, Variant};

/// Writes all template folders into the new folder `path`, and names them.
pub fn export(path: &Path, catalog: &Catalog) -> Result<Vec<String>> {
    let exists = || Error::Exists {
        path: path.to_owned(),
    };
    if path.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let (folders, files) = templates(catalog)?;
    let default = |kind| catalog.choose(kind, None);
    let choices = [
        default(Kind::Bridge)?,
        default(Kind::Kernels)?,
        default(Kind::License)?,
        default(Kind::Ci)?,
    ];
    // `write` wants those of a package; only where to and no repository matters to it.
    let mut answers = placeholders::answers(choices, catalog)?;
    answers.name = Name::parse("templates")?;
    answers.destination.path = path.components().collect();
    write(&files, &answers).map_err(|error| match error {
        // By another program, a moment ago.
        Error::Occupied { .. } => exists(),
        error => Error::Export(error.into()),
    })?;
    Ok(folders)
}

/// All folders, and the files in them and above.
fn templates(catalog: &Catalog) -> Result<(Vec<String>, Vec<Rendered<'static>>)> {
    let mut folders = Vec::new();
    let mut files = Vec::new();
    for bridge in catalog.members(Kind::Bridge) {
        for kernels in catalog.kernels_for(bridge) {
            let variants = variants(bridge, kernels, catalog)?;
            let folder = format!("{}-{}", bridge.name(), kernels.name());
            for (path, contents) in Template::new(variants).files(catalog)? {
                files.push(file(format!("{folder}/{path}"), contents));
            }
            folders.push(folder);
        }
    }
    let index = config::index(&folders);
    files.push(file(config::FILE.to_owned(), index.into_bytes()));
    Ok((folders, files))
}

fn file(path: String, contents: Vec<u8>) -> Rendered<'static> {
    Rendered {
        path,
        contents: Cow::Owned(contents),
    }
}

/// The package with placeholders, for each licence and CI provider.
fn variants<'a>(
    bridge: &'a Layer,
    kernels: &'a Layer,
    catalog: &'a Catalog,
) -> Result<Vec<Variant<'a>>> {
    let mut variants = Vec::new();
    for license in catalog.members(Kind::License) {
        for ci in catalog.members(Kind::Ci) {
            let answers = placeholders::answers([bridge, kernels, license, ci], catalog)?;
            let context = placeholders::context(&answers)?;
            variants.push(Variant {
                license: license.name(),
                ci: ci.name(),
                files: render_with(&Plan::new(&answers)?, &answers, context)?,
            });
        }
    }
    Ok(variants)
}
