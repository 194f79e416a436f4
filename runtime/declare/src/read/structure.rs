//! A struct and its members.

use super::{Fault, Read, Reader};
use crate::declaration::{Member, Structure};

impl Reader<'_> {
    pub(super) fn structure(mut self) -> Read<Structure> {
        let (name, _) = self.word("the name of the struct")?;
        self.need(&["("])?;
        let mut members = Vec::new();
        loop {
            let (name, _) = self.word("a member")?;
            self.need(&[":"])?;
            let (word, at) = self.word("a dtype")?;
            let dtype = self.known_dtype(&word, at)?;
            let mut shape = Vec::new();
            if self.take("(") {
                loop {
                    let at = self.at;
                    let size = self.digits()?.parse();
                    let hint = "a size has at most 18 digits";
                    let large = |_| Fault::new(at, "the number is too large", hint);
                    shape.push(size.map_err(large)?);
                    if self.take(")") {
                        break;
                    }
                    self.need(&[",", ")"])?;
                }
            }
            members.push(Member { name, dtype, shape });
            if self.take(")") {
                break;
            }
            self.need(&[",", ")"])?;
        }
        self.end()?;
        Ok(Structure {
            name,
            members,
            file: None,
        })
    }
}
