//! The results, behind the `->`.

use super::{Fault, Read, Reader};
use crate::declaration::Outcome;

impl Reader<'_> {
    pub(super) fn results(&mut self) -> Read<Vec<Outcome>> {
        let mut results = Vec::new();
        let in_parentheses = self.take_of_rust("(");
        loop {
            self.peek();
            let at = self.at;
            let (name, _) = self.word("a result")?;
            let name = match self.take(":") {
                true if name.starts_with('_') && !self.known.is_cpp => String::new(), // as in Rust
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
                () if self.take_of_rust("[") => Some(self.shape_of_result("]")?),
                () => None,
            };
            self.peek();
            let end = self.at;
            if shape.is_some() && (self.take_word("strided") || self.take_word("rows")) {
                let problem = "a result is `strided` or `rows`, which arguments may be";
                return Err(Fault::new(
                    end,
                    problem,
                    "leave it out: the core allocates results",
                ));
            }
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
