//! `cuvec-new export`: the templates in the form that `cargo generate` reads, a folder for each binding tool and kernel language.
//!
//! Bindings and kernels decide about most files, so they are folders; license, CI and documentation are choices in one. What goes
//! into a template is what the generator itself renders, with placeholders for the answers.

mod check;
mod config;
mod liquid;
mod placeholders;
mod template;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::catalog::{Catalog, Exported, Kind, Layer};
use crate::disk::{Destination, write};
use crate::error::{Error, Result};
use crate::package::{Plan, Rendered, render_with};
use crate::tell::{exported, told};
use template::{Template, Variant};

/// Writes all template folders into the new folder `path`, and says so.
pub fn run(path: &Path, catalog: &Catalog, quiet: bool) -> Result<()> {
    let folders = export(path, catalog)?;
    match quiet {
        true => Ok(()),
        false => told(exported(path, &folders)),
    }
}

fn export(path: &Path, catalog: &Catalog) -> Result<Vec<String>> {
    let exists = || {
        let hint = "choose a folder that does not exist yet";
        Error::failed(format!("`{}` already exists", path.display()), hint)
    };
    if path.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let (folders, files) = templates(catalog)?;
    let destination = Destination {
        path: path.components().collect(),
        force: false,
    };
    write(&files, &[], &destination, None).map_err(|error| match error {
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
        for kernels in catalog.members(Kind::Kernels) {
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

/// The package with placeholders, for every choice that `cargo generate` leaves to its user.
fn variants<'a>(
    bridge: &'a Layer,
    kernels: &'a Layer,
    catalog: &'a Catalog,
) -> Result<Vec<Variant<'a>>> {
    let mut choices = vec![BTreeMap::from([
        (Kind::Bridge, bridge),
        (Kind::Kernels, kernels),
    ])];
    for kind in Kind::exported(Exported::Default) {
        choices[0].insert(kind, catalog.choose(kind, None)?);
    }
    for kind in Kind::exported(Exported::Question) {
        let with = |choice: BTreeMap<_, _>| {
            let members = catalog.members(kind).iter();
            members.map(move |layer| {
                let mut choice = choice.clone();
                choice.insert(kind, layer);
                choice
            })
        };
        choices = choices.into_iter().flat_map(with).collect();
    }
    let variant = |choice: BTreeMap<Kind, &'a Layer>| {
        let asked = Kind::exported(Exported::Question);
        let names = asked.map(|kind| choice[&kind].name().to_owned()).collect();
        let answers = placeholders::answers(choice, catalog)?;
        let context = placeholders::context(&answers)?;
        Ok(Variant {
            names,
            files: render_with(&Plan::new(&answers)?, &answers, context)?,
        })
    };
    choices.into_iter().map(variant).collect()
}
