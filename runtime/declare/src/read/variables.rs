//! The dtype variables: `<T: float32, float64>`.

use super::{EXAMPLE, Fault, Read, Reader};
use crate::declaration::Variable;

impl Reader<'_> {
    pub(super) fn read_variables(&mut self) -> Read<()> {
        loop {
            let (mut word, mut at) = self.word("a dtype variable")?;
            let is_name = self.named(&word).is_none();
            if is_name && self.is_at_word() {
                self.colon(&format!("such as `<{word}: float32, float64>`"))?;
            }
            let is_in_a_list = self.variables.iter().any(|it| !it.dtypes.is_empty());
            if is_name && !is_in_a_list && self.take(">") {
                let problem = format!("`{word}` has no dtypes");
                let hint = format!("such as `<{word}: float32, float64>`");
                return Err(Fault::new(at, problem, hint));
            }
            let is_shared = is_name && self.take(",");
            if is_shared || self.take(":") {
                self.variables.push(Variable {
                    name: word,
                    dtypes: Vec::new(),
                    is_shared,
                    at,
                });
                if is_shared {
                    continue;
                }
                (word, at) = self.word("a dtype")?;
            } else if let Some(first) = self.shared().last() {
                // No variable with a list comes: it was to be a dtype.
                self.known_dtype(&first.name, first.at)?;
            }
            let found = self.known_dtype(&word, at)?;
            let Some(variable) = self.variables.last_mut() else {
                return Err(Fault::new(
                    at,
                    "a dtype without a variable before it",
                    EXAMPLE,
                ));
            };
            if variable.dtypes.contains(&found) {
                return Err(Fault::new(
                    at,
                    format!("`{word}` is there twice"),
                    "remove one of them",
                ));
            }
            variable.dtypes.push(found);
            if self.take(">") {
                break;
            }
            if !self.take_of_rust("|") {
                self.need(&[",", ">"])?;
            }
        }
        for place in (1..self.variables.len()).rev() {
            if self.variables[place - 1].is_shared {
                self.variables[place - 1].dtypes = self.variables[place].dtypes.clone();
            }
        }
        Ok(())
    }

    /// The last variables, whose list is the next one's.
    fn shared(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().rev().take_while(|it| it.is_shared)
    }
}
