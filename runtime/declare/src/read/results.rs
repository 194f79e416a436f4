//! The results, behind the `->`.

use super::{Read, Reader};
use crate::declaration::Outcome;

impl Reader<'_> {
    pub(super) fn results(&mut self) -> Read<Vec<Outcome>> {
        let mut results = Vec::new();
        let in_parentheses = self.take("("); // as in Rust
        loop {
            self.peek();
            let at = self.at;
            let (name, _) = self.word("a result")?;
            let name = match self.take(":") {
                true if name.starts_with('_') => String::new(), // as in Rust
                true => name,
                false => {
                    if !self.is_dtype(&name) && self.is_at_word() {
                        self.colon(&format!("a result with a name is `{name}: float32(n)`"))?;
                    }
                    self.at = at;
                    String::new()
                }
            };
            let is_saved = self.take_word("saved");
            let dtype = self.dtype_of_result()?;
            let shape = match () {
                () if self.take("(") => Some(self.shape_of_result(")")?),
                () if self.take("[") => Some(self.shape_of_result("]")?),
                () => None,
            };
            results.push(Outcome {
                name,
                dtype,
                shape,
                is_saved,
                at,
            });
            let more = self.take(",");
            if in_parentheses && self.take(")") {
                return Ok(results);
            }
            if !more {
                if in_parentheses {
                    self.need(&[",", ")"])?;
                }
                return Ok(results);
            }
        }
    }
}
