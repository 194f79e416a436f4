//! The kinds of layers a package is put together from. Their members are found in `templates/`, never named here.

use std::fmt;

/// A kind of layer of which every package has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Bridge,
    Kernels,
    Host,
    License,
    Ci,
}

impl Kind {
    pub const ALL: [Self; 5] = [
        Self::Bridge,
        Self::Kernels,
        Self::Host,
        Self::License,
        Self::Ci,
    ];

    /// The folder below `templates/`, which is also the name of the option that chooses a member.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Bridge => "bridge",
            Self::Kernels => "kernels",
            Self::Host => "host",
            Self::License => "license",
            Self::Ci => "ci",
        }
    }

    pub fn from_folder(folder: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.folder() == folder)
    }

    pub fn plural(self) -> &'static str {
        match self {
            Self::Bridge => "bridges",
            Self::Kernels => "kernel kinds",
            Self::Host => "hosts",
            Self::License => "licenses",
            Self::Ci => "CI providers",
        }
    }
}

/// What one member is called in a sentence.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bridge => "bridge",
            Self::Kernels => "kernel kind",
            Self::Host => "host",
            Self::License => "license",
            Self::Ci => "CI provider",
        })
    }
}
