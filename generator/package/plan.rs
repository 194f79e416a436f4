//! Which template gives which file of the package. Every path has one owner.

use std::collections::BTreeMap;

use crate::answers::{Answers, Name};
use crate::catalog::Layer;
use crate::error::{Error, Result};
use crate::sdist;

/// The folder of a package that no one edits.
pub const FOLDER: &str = "runtime/";

/// Path of a file in the package (with `/`) to the template it comes from.
#[derive(Debug)]
pub struct Plan<'a>(BTreeMap<String, Source<'a>>);

#[derive(Debug)]
pub struct Source<'a> {
    /// Its path below `templates/`, or the path of the sdist, for messages.
    pub id: String,
    pub contents: &'a [u8],
    /// Rendered, not copied.
    pub rendered: bool,
}

impl<'a> Plan<'a> {
    pub fn new(answers: &Answers<'a>) -> Result<Self> {
        let mut plan = Self(BTreeMap::new());
        for layer in answers.layers.iter() {
            plan.add(layer, &answers.name)?;
        }
        if let Some(contents) = answers.layers.runtime() {
            let path = format!("{FOLDER}{}", sdist::name());
            let source = Source {
                id: path.clone(),
                contents,
                rendered: false,
            };
            plan.0.insert(path, source);
        }
        plan.check_folders()?;
        Ok(plan)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Source<'a>)> {
        self.0.iter().map(|(path, source)| (path.as_str(), source))
    }

    fn add(&mut self, layer: &'a Layer, name: &Name) -> Result<()> {
        for (file, contents) in &layer.files {
            let id = format!("{}/{file}", layer.id);
            let path = file.replace("{{module}}", &name.module());
            if path.contains("{{") {
                return Err(Error::template(
                    id,
                    "a path may hold `{{module}}` and nothing else",
                ));
            }
            let template = path.strip_suffix(".hbs");
            let source = Source {
                id,
                contents,
                rendered: template.is_some(),
            };
            let path = template.unwrap_or(&path).to_owned();
            if let Some(other) = self.0.get(&path) {
                let problem = format!("`{}` gives the file `{path}` as well", other.id);
                return Err(Error::template(source.id, problem));
            }
            self.0.insert(path, source);
        }
        Ok(())
    }

    /// A file of one layer must not be a folder of another.
    fn check_folders(&self) -> Result<()> {
        for (path, source) in &self.0 {
            let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
            for folder in folders {
                if let Some(file) = self.0.get(folder) {
                    let problem = format!("`{}` gives a file where it needs a folder", file.id);
                    return Err(Error::template(&source.id, problem));
                }
            }
        }
        Ok(())
    }
}
