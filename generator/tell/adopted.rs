//! Files that `adopt` wrote, parts that it left out, and remarks to look at.

use std::fmt;

use super::print::{GOOD, NOTE, print, print_list, styled};
use crate::error::Result;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    file: String,
    line: usize,
    text: String,
}

impl Remark {
    pub fn new(file: &str, line: usize, text: String) -> Self {
        let file = file.to_owned();
        Self { file, line, text }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Adopted {
    /// Declarations: their files and their signatures.
    pub files: Vec<(String, String)>,
    pub changed: Option<String>,
    pub marks: Vec<Remark>,
    pub left_out: Vec<Remark>,
}

pub fn adopted(found: &Adopted, needs: &[&str], dry_run: bool) -> Result<()> {
    let count = match found.files.len() {
        1 => "1 function".to_owned(),
        count => format!("{count} functions"),
    };
    let verb = if dry_run { "would adopt" } else { "adopted" };
    print(format!("{} {count}:", styled(GOOD, verb)))?;
    for (path, signature) in &found.files {
        print(format!("  {path}: {signature}"))?;
    }
    if let Some(changed) = &found.changed {
        print(format!("  {changed}: kernel_sources"))?;
    }
    for (heading, remarks) in [("left out", &found.left_out), ("not known", &found.marks)] {
        if !remarks.is_empty() {
            print(format!("{}:", styled(NOTE, heading)))?;
        }
        for remark in remarks {
            print(format!("  {remark}"))?;
        }
    }
    if dry_run {
        return print("nothing was written");
    }
    let settle = "settle what is not known, and remove its mark: grep -n 'adopt:' kernels/*.cu";
    print_list("next", &[needs, &["pip install .", settle]].concat())
}
