//! The kinds of layers a package is put together from, in one table. Their members are found in `templates/`, never
//! named here.

use std::fmt;

/// A kind of layer of which every package has exactly one, from the most general to the most special.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    License,
    Ci,
    Kernels,
    Host,
    Bridge,
}

/// What the rest of the program has to know about a kind.
#[derive(Debug)]
pub struct Traits {
    /// Its folder below `templates/`, which is also the option that chooses a member, its key in templates and in
    /// `.cuvec-new.toml`.
    pub folder: &'static str,
    /// What one member is called in a sentence, and what several are.
    pub name: &'static str,
    pub plural: &'static str,
    /// Key of its members in `--list --json`; none renamed, for scripts read it.
    pub listed: &'static str,
    /// How the user chooses; none where another layer decides.
    pub choice: Option<Choice>,
    pub exported: Exported,
    /// Whether its layers may hold `hosts/NAME/`: files for packages of one host.
    pub for_hosts: bool,
}

/// The option and the question that choose a member.
#[derive(Debug)]
pub struct Choice {
    pub title: &'static str,
    pub help: &'static str,
    /// Stands for a member in the help: `--bridge <BRIDGE>`.
    pub placeholder: &'static str,
}

/// What becomes of a kind in templates for `cargo generate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// Each member, as far as it goes with the others, is a template folder of its own.
    Folder,
    /// `cargo generate` asks for the member within a template.
    Question,
    /// Another layer decides.
    Follows,
}

impl Kind {
    /// All of them, as they are asked for and listed.
    pub const ALL: [Self; 5] = [
        Self::Bridge,
        Self::Kernels,
        Self::License,
        Self::Ci,
        Self::Host,
    ];

    pub const fn traits(self) -> &'static Traits {
        match self {
            Self::Bridge => &Traits {
                folder: "bridge",
                name: "bridge",
                plural: "bridges",
                listed: "bridges",
                choice: Some(Choice {
                    title: "Bridge",
                    help: "What connects Python and the kernels",
                    placeholder: "BRIDGE",
                }),
                exported: Exported::Folder,
                for_hosts: false,
            },
            Self::Kernels => &Traits {
                folder: "kernels",
                name: "kernel kind",
                plural: "kernel kinds",
                listed: "kernels",
                choice: Some(Choice {
                    title: "Kernels",
                    help: "What the kernels are written in",
                    placeholder: "KIND",
                }),
                exported: Exported::Folder,
                for_hosts: true,
            },
            Self::License => &Traits {
                folder: "license",
                name: "license",
                plural: "licenses",
                listed: "licenses",
                choice: Some(Choice {
                    title: "License",
                    help: "License of the package",
                    placeholder: "SPDX",
                }),
                exported: Exported::Question,
                for_hosts: false,
            },
            Self::Ci => &Traits {
                folder: "ci",
                name: "CI provider",
                plural: "CI providers",
                listed: "ci",
                choice: Some(Choice {
                    title: "CI",
                    help: "CI provider to write workflows for",
                    placeholder: "PROVIDER",
                }),
                exported: Exported::Question,
                for_hosts: true,
            },
            Self::Host => &Traits {
                folder: "host",
                name: "host",
                plural: "hosts",
                listed: "hosts",
                choice: None,
                exported: Exported::Follows,
                for_hosts: false,
            },
        }
    }

    /// Its folder below `templates/`, and its option.
    pub fn folder(self) -> &'static str {
        self.traits().folder
    }

    pub fn from_folder(folder: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.folder() == folder)
    }

    /// Those that the user chooses, with how.
    pub fn chosen() -> impl Iterator<Item = (Self, &'static Choice)> {
        Self::ALL
            .into_iter()
            .filter_map(|kind| Some((kind, kind.traits().choice.as_ref()?)))
    }

    pub fn exported(how: Exported) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |kind| kind.traits().exported == how)
    }
}

/// What one member is called in a sentence.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.traits().name)
    }
}
