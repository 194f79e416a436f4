//! Everything a package depends on: valid and complete, whatever the user left out.

mod email;
pub mod identity;
mod text;

use std::path::PathBuf;

use crate::args::Args;
use crate::catalog::{Catalog, goes_with};
use crate::command;
use crate::destination::Destination;
use crate::error::{Error, Result, quoted_list};
use crate::interview;
use crate::kind::Kind;
use crate::layer::Layer;
use crate::name::Name;
use crate::prompt::Prompt;
use crate::python::PythonVersion;
use identity::Identity;

pub const DEFAULT_DESCRIPTION: &str = "Python package with GPU kernels";

#[derive(Debug)]
pub struct Answers<'a> {
    pub name: Name,
    pub description: String,
    pub author: String,
    /// Empty when the author gives none.
    pub email: String,
    pub year: i32,
    pub python: PythonVersion,
    pub common: &'a Layer,
    /// What the chosen layers have in common with others.
    pub shared: Vec<&'a Layer>,
    pub license: &'a Layer,
    pub ci: &'a Layer,
    pub kernels: &'a Layer,
    pub host: &'a Layer,
    pub bridge: &'a Layer,
    pub destination: Destination,
    /// Whether to make a repository, if there is none around the destination.
    pub git: bool,
}

impl<'a> Answers<'a> {
    /// Asks for what the options leave open, where there is a prompt, and takes defaults where there is none.
    pub fn resolve(args: &Args, catalog: &'a Catalog, prompt: Option<impl Prompt>) -> Result<Self> {
        match prompt {
            Some(mut prompt) => interview::hold(args, catalog, &mut prompt),
            None => Self::new(args, catalog),
        }
    }

    pub fn new(args: &Args, catalog: &'a Catalog) -> Result<Self> {
        let name = Name::parse(args.name.as_deref().ok_or(Error::NoName)?)?;
        let bridge = catalog.choose(Kind::Bridge, args.bridge.as_deref())?;
        let kernels = catalog.choose(Kind::Kernels, args.kernels.as_deref())?;
        if !goes_with(bridge, kernels) {
            return Err(combination(&name, bridge, kernels, catalog));
        }
        let host = catalog.host(bridge)?;
        let Identity { author, email } = Identity::resolve(args, &name)?;
        Ok(Self {
            description: description(args)?,
            author,
            email,
            year: time::OffsetDateTime::now_utc().year(),
            python: python(args)?,
            common: &catalog.common,
            shared: catalog.includes(&[kernels, host, bridge])?,
            license: catalog.choose(Kind::License, args.license.as_deref())?,
            ci: catalog.choose(Kind::Ci, args.ci.as_deref())?,
            kernels,
            host,
            bridge,
            destination: Destination {
                path: destination(args, &name),
                force: args.force,
            },
            git: !args.no_git,
            name,
        })
    }

    /// The layers of the package, from the most general to the most special.
    pub fn layers(&self) -> impl Iterator<Item = &'a Layer> {
        let shared = self.shared.iter().copied();
        let for_host = |layer: &'a Layer| layer.hosts.get(self.host.name());
        [self.common]
            .into_iter()
            .chain(shared)
            .chain([self.license, self.ci, self.kernels, self.host])
            .chain([self.ci, self.kernels].into_iter().filter_map(for_host))
            .chain([self.bridge])
    }
}

fn description(args: &Args) -> Result<String> {
    match &args.description {
        Some(text) => parse_description(text),
        None => Ok(DEFAULT_DESCRIPTION.to_owned()),
    }
}

pub fn parse_description(text: &str) -> Result<String> {
    text::one_line("--description", text)
}

fn python(args: &Args) -> Result<PythonVersion> {
    let Some(version) = &args.python else {
        return Ok(PythonVersion::LOWEST);
    };
    version.parse().map_err(|()| {
        Error::option(
            "--python",
            format!("takes no `{version}`"),
            format!("versions are {}", quoted_list(PythonVersion::supported())),
        )
    })
}

/// The folder that a package of this name goes to.
pub fn destination(args: &Args, name: &Name) -> PathBuf {
    match &args.output {
        None => PathBuf::from(name.distribution()),
        // Without trailing slashes, so that the last part can be created and renamed.
        Some(path) => path.components().collect(),
    }
}

/// Says which command lines work: another kernel kind for this bridge, another bridge for these kernels.
fn combination(name: &Name, bridge: &Layer, kernels: &Layer, catalog: &Catalog) -> Error {
    let command = |bridge: &Layer, kernels: &Layer| {
        let (bridge, kernels) = (bridge.name(), kernels.name());
        let options = format!("--bridge {bridge} --kernels {kernels}");
        command::line(name.distribution(), &options)
    };
    let commands = (catalog.kernels_for(bridge).map(|it| command(bridge, it)))
        .chain(catalog.bridges_for(kernels).map(|it| command(it, kernels)))
        .collect();
    Error::Combination {
        bridge: bridge.name().to_owned(),
        kernels: kernels.name().to_owned(),
        commands,
    }
}
