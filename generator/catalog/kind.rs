//! The kinds of layers a package is put together from, in one table. Their members are found in `templates/`, never
//! named here.

use std::fmt;

/// A kind of layer of which every package has exactly one, from the most general to the most special.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    License,
    Ci,
    Docs,
    Container,
    Agents,
    Cuda,
    Runtime,
    Kernels,
    Bridge,
}

#[derive(Debug)]
pub struct Traits {
    /// Its folder below `templates/`, which is also the option that chooses a member, its key in templates and in
    /// `.cuvec-new.toml`.
    pub folder: &'static str,
    /// Name of one member in a sentence, and of several.
    pub name: &'static str,
    pub plural: &'static str,
    /// Key of its members in `list --json`; none renamed, for scripts read it.
    pub listed: &'static str,
    /// Title of the question that chooses a member, if there is one.
    pub title: Option<&'static str>,
    pub help: &'static str,
    /// Stands for a member in the help: `--bridge <TOOL>`.
    pub placeholder: &'static str,
    /// Way out if no member is right.
    pub otherwise: Option<&'static str>,
    pub exported: Exported,
}

/// Form of a kind in templates for `cargo generate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// Each member is a template folder of its own, with each member of the other kinds of this sort.
    Folder,
    /// `cargo generate` asks for the member within a template.
    Question,
    Default,
}

impl Kind {
    /// All of them, as they are asked for and listed.
    pub const ALL: [Self; 9] = [
        Self::Bridge,
        Self::Kernels,
        Self::Cuda,
        Self::License,
        Self::Ci,
        Self::Docs,
        Self::Container,
        Self::Agents,
        Self::Runtime,
    ];

    pub const fn traits(self) -> &'static Traits {
        match self {
            Self::Bridge => &Traits {
                folder: "bridge",
                name: "bindings",
                plural: "bindings",
                listed: "bridges",
                title: Some("Bindings"),
                help: "Binding tool for functions written by hand, in src/",
                placeholder: "TOOL",
                otherwise: None,
                exported: Exported::Folder,
            },
            Self::Kernels => &Traits {
                folder: "kernels",
                name: "kernel language",
                plural: "kernel languages",
                listed: "kernels",
                title: Some("Kernels"),
                help: "Language of the kernels",
                placeholder: "LANGUAGE",
                otherwise: None,
                exported: Exported::Folder,
            },
            Self::Cuda => &Traits {
                folder: "cuda",
                name: "CUDA version",
                plural: "CUDA versions",
                listed: "cuda",
                title: None,
                help: "Major version of CUDA that the GPU code is of",
                placeholder: "VERSION",
                otherwise: None,
                exported: Exported::Question,
            },
            Self::License => &Traits {
                folder: "license",
                name: "license",
                plural: "licenses",
                listed: "licenses",
                title: Some("License"),
                help: "License of the package",
                placeholder: "SPDX",
                otherwise: Some(
                    "for another one choose any, then change LICENSE, README.md, and `license` in pyproject.toml",
                ),
                exported: Exported::Question,
            },
            Self::Ci => &Traits {
                folder: "ci",
                name: "CI provider",
                plural: "CI providers",
                listed: "ci",
                title: Some("CI"),
                help: "CI provider to write workflows for",
                placeholder: "PROVIDER",
                otherwise: None,
                exported: Exported::Question,
            },
            Self::Docs => &Traits {
                folder: "docs",
                name: "documentation tool",
                plural: "documentation tools",
                listed: "docs",
                title: Some("Documentation"),
                help: "Tool that builds the documentation in docs/",
                placeholder: "TOOL",
                otherwise: None,
                exported: Exported::Question,
            },
            Self::Container => &Traits {
                folder: "container",
                name: "container",
                plural: "containers",
                listed: "containers",
                title: None,
                help: "Container to develop the package in",
                placeholder: "KIND",
                otherwise: None,
                exported: Exported::Default,
            },
            Self::Agents => &Traits {
                folder: "agents",
                name: "instructions for agents",
                plural: "instructions for agents",
                listed: "agents",
                title: None,
                help: "Instructions for agents that write code",
                placeholder: "FILE",
                otherwise: None,
                exported: Exported::Default,
            },
            Self::Runtime => &Traits {
                folder: "runtime",
                name: "runtime",
                plural: "runtimes",
                listed: "runtimes",
                title: None,
                help: "Where a build of the package gets the runtime from",
                placeholder: "SOURCE",
                otherwise: None,
                exported: Exported::Default,
            },
        }
    }

    pub fn folder(self) -> &'static str {
        self.traits().folder
    }

    pub fn from_folder(folder: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.folder() == folder)
    }

    /// Those that prompts ask for, with the titles of their questions.
    pub fn asked() -> impl Iterator<Item = (Self, &'static str)> {
        Self::ALL
            .into_iter()
            .filter_map(|kind| Some((kind, kind.traits().title?)))
    }

    pub fn exported(how: Exported) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |kind| kind.traits().exported == how)
    }
}

/// Writes the name of one member in a sentence.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.traits().name)
    }
}
