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
use crate::destination::Destination;
use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::layer::Layer;
use crate::plan::Plan;
use crate::render::{Rendered, render_with};
use crate::write::write;
use template::{Template, Variant};

/// Writes all template folders into the new folder `path`, and names them.
pub fn export(path: &Path, catalog: &Catalog) -> Result<Vec<String>> {
    if path.symlink_metadata().is_ok() {
        return Err(Error::Exists {
            path: path.to_owned(),
        });
    }
    let mut folders = Vec::new();
    let mut files = Vec::new();
    let mut last = None;
    for bridge in catalog.members(Kind::Bridge) {
        for kernels in catalog.kernels_for(bridge) {
            let variants = variants(bridge, kernels, catalog)?;
            let folder = format!("{}-{}", bridge.name(), kernels.name());
            for (path, contents) in Template::new(variants).files(catalog)? {
                files.push(Rendered {
                    path: format!("{folder}/{path}"),
                    contents: Cow::Owned(contents),
                });
            }
            folders.push(folder);
            last = Some((bridge, kernels));
        }
    }
    files.push(Rendered {
        path: config::FILE.to_owned(),
        contents: Cow::Owned(config::index(&folders).into_bytes()),
    });
    if let Some((bridge, kernels)) = last {
        let license = catalog.choose(Kind::License, None)?;
        let ci = catalog.choose(Kind::Ci, None)?;
        let mut answers = placeholders::answers([bridge, kernels, license, ci], catalog)?;
        answers.destination = Destination {
            path: path.components().collect(),
            force: false,
        };
        write(&files, &answers)?;
    }
    Ok(folders)
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
